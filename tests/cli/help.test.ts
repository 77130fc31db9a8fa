import type { Command } from 'commander'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { USUAL_STOP_SHARE } from '../../src/announcement/sending/sending-numbers.ts'
import { commands } from '../../src/cli/commands.ts'
import shared from '../../src/cli/options.json' with { type: 'json' }
import { programWith } from '../../src/cli/program.ts'
import { readers } from '../../src/cli/readers.ts'
import { features } from '../../src/features/all.ts'

const program = await programWith()

const commandOf = (name: string) => program.commands.find((one) => one.name() === name) as Command

/** What `--help` prints. */
function printed(command: Command): string {
  let text = ''
  command.configureOutput({
    getOutHelpWidth: () => 80,
    writeOut: (part) => {
      text += part
    },
  })
  command.outputHelp()
  return text
}

describe('the help of', () => {
  it('the tool begins with ten commands in the order of the weeks to a launch', () => {
    const [, first = ''] = printed(program)
      .split(/^\S.*:$/m)
      .slice(1)
    expect([...first.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name)).toEqual([
      ...['desk', 'status', 'import', 'export'],
      ...features.flatMap(({ command }) => (command?.after === 'export' ? command.name : [])),
      ...['open', 'announce', 'find', 'forget'],
      'backup',
    ])
    for (const command of commands) expect(printed(program)).toContain(`\n  ${command.name} `)
  })

  it('announce begins with its eight usual options', () => {
    const [usual = '', more = ''] = printed(commandOf('announce')).split('More options:')
    expect(usual.match(/^ {2}--[\w-]+/gm)).toHaveLength(8)
    expect(more).toContain('--force')
    expect(more).not.toContain('--force-problem')
  })
})

it('is no wider than the terminal, but for what is typed as it stands', () => {
  for (const command of [program, ...program.commands])
    for (const line of printed(command).split('\n'))
      if (!line.startsWith('  ')) expect(line.length, line).toBeLessThanOrEqual(80)
})

it('says of each option what it does, and knows how to read it', () => {
  const all = commands.flatMap(({ options, more = {} }) => Object.entries({ ...options, ...more }))
  for (const [flags, own] of [...all, ...Object.entries(shared)]) {
    const said = own === true ? Object.entries(shared).find(([one]) => one === flags)?.[1] : own
    expect(said, flags).toBeTruthy()
    const { help, reads } =
      typeof said === 'object' ? { reads: undefined, ...said } : { help: said }
    expect(help, flags).not.toBe('')
    if (reads !== undefined) expect(Object.keys(readers), flags).toContain(reads)
  }
  expect(shared['--stop-share <share>'].usual).toBe(USUAL_STOP_SHARE)
})

/** Nothing of it on the screen. */
function silently() {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
}

it.each([
  ['import list.csv --encoding klingon', 'Must be an encoding, such as windows-1252 or shift_jis.'],
  ['import list.csv --utc-offset 2', 'Must be like +02:00.'],
  ['import list.csv --utc-offset +15:00', 'Must be like +02:00.'],
  ['import list.csv --dates year-first', 'Allowed choices are day-first, month-first.'],
  ['suppress list.csv --as forgotten', 'Allowed choices are bounced, complained, unsubscribed.'],
  ['forget --yes-count 0', 'Must be the count that the command showed.'],
  ['export --format xls', 'Allowed choices are csv, ndjson, json, excel.'],
  ['announce launch.md --rate fast', 'Must be '],
  ['announce launch.md --first 101%', 'Must be '],
  ['announce launch.md --force spf,', 'Must be '],
  ['announce launch.md --first 1 --retry failed', 'cannot be used with'],
  ['announce launch.md --stop-share 101%', 'Must be a share, such as 5%.'],
  ['backup --keep 7', 'Must be three whole numbers'],
  ['update --ready-within soon', 'Must be a whole number of seconds.'],
  ['send launch.md', 'there is no command "send": announce sends a letter to everyone once'],
  ['install --yes', "required option '--systemd' not specified"],
  ['importe list.csv', "unknown command 'importe'"],
])('refuses %s before it does anything', async (typed, why) => {
  silently()
  const args = typed.split(' ')
  const called = await programWith(args[0])
  // Were it not refused, nothing should be done to this machine.
  for (const one of called.commands) if (one.name() !== 'send') one.action(() => {})
  await expect(called.parseAsync(args, { from: 'user' })).rejects.toThrow(why)
})
