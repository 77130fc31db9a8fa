import type { Git } from './git.ts'

/** A step in the code: its number, and why it was needed. */
const step = /version: (\d+),\s*why:\s*(['"`])((?:\\.|(?!\2)[^\\])*)\2/g

/**
 * The migrations that one commit has and another lacks. They are read as text, since code that is
 * only looked at is not run.
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
  // The text of all files at once: a process for each took longer than all the rest of a look.
  const plain = ['--text', '--no-color', '--no-line-number', '--no-column', '-hF']
  const { stdout } = await git.ask(['grep', ...plain, '-e', '', commit, '--', `${folder}/*.ts`])
  return [...stdout.matchAll(step)].map(([, version, , why = '']) => ({
    version: Number(version),
    why,
  }))
}
