import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { programWith } from '../../src/cli/program.ts'

const text = readFileSync('docs/commands.md', 'utf8')

it('the README and docs/commands.md show no option that its command has not', async () => {
  const shown = [text, readFileSync('README.md', 'utf8')].flatMap((one) => [
    ...one.matchAll(/^ *(?:sudo |bin\/)opening-bell ([a-z-]+)([^#\n]*)/gm),
  ])
  expect(shown.length).toBeGreaterThan(20)
  for (const [line, name, rest = ''] of shown) {
    const command = (await programWith(name)).commands.find((one) => one.name() === name)
    expect(command, line).toBeDefined()
    for (const [option] of rest.matchAll(/--[a-z-]+/g))
      expect(
        command?.options.map(({ long }) => long),
        line,
      ).toContain(option)
  }
})
