import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { strykerPlugins } from '../../scripts/mutants/sample.mjs'

const mutants = Array.from({ length: 3000 }, (_, i) => ({
  id: String(i),
  fileName: join(process.cwd(), `src/${i % 7}.ts`),
  replacement: i % 2 ? 'true' : 'false',
  location: { start: { line: i, column: 1 }, end: { line: i, column: 9 } },
}))

/** The ids of those that are tried. */
async function drawn(every: number, seed: number, from = mutants) {
  vi.stubEnv('MUTANTS_EVERY', String(every))
  vi.stubEnv('MUTANTS_SEED', String(seed))
  onTestFinished(() => void vi.unstubAllEnvs())
  const answers = (await strykerPlugins[0]?.factory().check(from)) ?? {}
  return from.filter(({ id }) => answers[id]?.status === 'passed').map(({ id }) => id)
}

it('a sample is one mistake of so many, and the same ones for the same seed', async () => {
  const third = await drawn(3, 1)
  expect(third.length).toBeGreaterThan(900)
  expect(third.length).toBeLessThan(1100)
  expect(await drawn(3, 1)).toEqual(third)
  expect(await drawn(3, 2)).not.toEqual(third)
  expect(await drawn(1, 1)).toHaveLength(mutants.length)
})

it('a sample has a mistake in it or not, whatever else there is', async () => {
  const third = new Set(await drawn(3, 1))
  const fewer = mutants.filter((_, i) => i % 5 === 0)
  const wanted = fewer.map(({ id }) => id).filter((id) => third.has(id))
  expect(await drawn(3, 1, fewer)).toEqual(wanted)
})
