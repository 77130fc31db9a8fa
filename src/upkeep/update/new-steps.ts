import type { Git } from './git.ts'

/** A step as it stands in the code: what it is numbered, and why it was needed. */
const step = /version: (\d+),\s*why:\s*(['"`])((?:\\.|(?!\2)[^\\])*)\2/g

/**
 * The steps of the stored data that one commit has and another has not. They are read as a text: of
 * code that is only looked at, nothing is run.
 *
 * @returns each in a line.
 */
export async function newSteps(git: Git, folder: string, before: string, after: string) {
  const known = new Set((await stepsIn(git, folder, before)).map(({ version }) => version))
  const all = await stepsIn(git, folder, after)
  return all
    .filter(({ version }) => !known.has(version))
    .toSorted((one, other) => one.version - other.version)
    .map(({ version, why }) => `${version}: ${why}`)
}

async function stepsIn(git: Git, folder: string, commit: string) {
  const found = await git.ask(['grep', '-l', '-e', 'why:', commit, '--', folder])
  const files = found.stdout.split('\n').filter((line) => line.endsWith('.ts'))
  const texts = await Promise.all(files.map((file) => git(['show', file])))
  return texts.flatMap((text) =>
    [...text.matchAll(step)].map(([, version, , why = '']) => ({ version: Number(version), why })),
  )
}
