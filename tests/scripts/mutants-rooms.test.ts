import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { leftOut, rooms } from '../../scripts/mutants/rooms.ts'

const cwd = join(import.meta.dirname, '../..')
const found = (globs: readonly string[]) => {
  const exclude = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
  return globSync(
    globs.filter((glob) => !glob.startsWith('!')),
    { cwd, exclude },
  )
}

it('each file of src is changed by a room of the mutants, or it is said why not', () => {
  const known = new Set([
    ...Object.values(rooms).flatMap(({ mutate }) => found(mutate)),
    ...Object.values(leftOut).flatMap(found),
  ])
  const exclude = ['src/**/node_modules/**']
  const files = globSync('src/**/*.{ts,tsx,mjs}', { cwd, exclude })
  expect(files.filter((file) => !known.has(file))).toEqual([])
})

it('each glob of a room finds files', () => {
  const globs = Object.values(rooms).flatMap(({ mutate, tests }) => [...mutate, ...tests])
  const all = [...globs, ...Object.values(leftOut).flat()].map((glob) => glob.replace(/^!/, ''))
  expect(all.filter((glob) => found([glob]).length === 0)).toEqual([])
})
