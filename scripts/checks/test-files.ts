import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What stands in a file's first line where all its tests are `thorough` or `long`. */
const TAG = /^\/\*\* @module-tag (thorough|long) \*\//

/** The files of Vitest's tests, by the tag of the whole file: `quick` where it has none. */
export function testFiles(): Record<'quick' | 'thorough' | 'long', string[]> {
  const files = { quick: [], thorough: [], long: [] } as ReturnType<typeof testFiles>
  for (const name of readdirSync('tests', { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.test.ts') || name.includes('node_modules')) continue
    const file = join('tests', name)
    const tag = TAG.exec(readFileSync(file, 'utf8'))?.[1] as 'thorough' | 'long' | undefined
    files[tag ?? 'quick'].push(file)
  }
  return files
}
