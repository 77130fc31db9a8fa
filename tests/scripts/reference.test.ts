import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { references, withTables } from '../../scripts/reference.ts'

it.each(references)('%s is what npm run reference writes', (path, tables) => {
  const text = readFileSync(path, 'utf8')
  expect(withTables(text, tables())).toBe(text)
  for (const [heading, rows] of tables()) {
    expect(text).toContain(`## ${heading}\n`)
    for (const [name] of rows) expect(text.split(`\n| ${name} | `)).toHaveLength(2)
  }
})

it('a table changes under its own heading alone', () => {
  const text =
    '## One\n\n| a | b |\n| --- | --- |\n| x | y |\n\nAnd so on.\n\n## Two\n\n| --- |\n| z |\n'
  expect(
    withTables(
      text,
      new Map([
        [
          'One',
          [
            ['1', ''],
            ['2', 'two'],
          ],
        ],
      ]),
    ),
  ).toBe(text.replace('| x | y |\n', '| 1 | |\n| 2 | two |\n'))
})
