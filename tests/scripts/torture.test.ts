import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFiles } from '../../scripts/checks/test-files.ts'
import { ended, run } from '../fixtures/run.ts'

const ROOT = join(import.meta.dirname, '../..')

test('all that npm test leaves out is a section of the torture', async () => {
  const { quick, thorough, long } = testFiles()
  const inPart = [...quick, ...thorough].filter((file) =>
    /[{] tags: ['"]long/.test(readFileSync(file, 'utf8')),
  )
  const { code, stderr } = await ended(
    run(ROOT, [process.execPath, 'scripts/torture.ts', 'no-such-section']),
  )
  expect(code).toBe(2)
  const sections = /^Sections: (.*)$/m.exec(stderr)?.[1]?.split(', ') ?? []
  const files = sections.map(
    (name) => `tests/${name.includes('/') ? '' : 'torture/'}${name}.test.ts`,
  )
  for (const file of [...long, ...inPart]) expect(files).toContain(file)
  expect(long.length).toBeGreaterThan(20)
  expect(inPart.length).toBeGreaterThan(10)
  expect(sections).toContain('browsers')
})
