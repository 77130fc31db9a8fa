import * as commander from 'commander'
import { isPackage } from '../product/folders.mjs'
import product from '../product/product.ts'
import type { Command, Option, Options } from '../shared/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { commands } from './commands.ts'
import shared from './options.json' with { type: 'json' }

type Readers = typeof import('./readers.ts').readers

const besides = ['Besides: start, build and build:firebase, which package.json calls.', '']
const notes = [
  'The tool reads DATA_DIR and LINK_KEY as the server does, and may run while the server runs.',
  'Exit codes: 0 done, 1 failed, 2 called wrongly, 3 done but not for all, 130 stopped.',
]

/** The tool with this command; with all of them where it has no such command, as for `--help`. */
export async function programWith(name?: string): Promise<commander.Command> {
  const program = new commander.Command('opening-bell')
    .description(`Work with the subscribers of ${product.name}.`)
    .exitOverride()
    .showHelpAfterError('Help: add --help')
    .helpCommand(false)
    .addHelpText('after', filled(isPackage ? [...besides, ...notes] : notes))
  const called = commands.filter((command) => command.name === name)
  for (const command of called.length > 0 ? called : commands) await add(program, command)
  program.command('send [letter]', { hidden: true }).action(() =>
    program.error('error: there is no command "send": announce sends a letter to everyone once', {
      exitCode: exitCodes.misused,
    }),
  )
  return program
}

async function add(program: commander.Command, described: Command): Promise<void> {
  const { name, takes = '', group, help, notes } = described
  const command = program
    .command(`${name} ${takes}`.trim())
    .description(help)
    .helpGroup(`${group}:`)
    .action(async () => {
      const { fromCommandLine } = await described.load()
      await fromCommandLine(command.opts(), ...command.processedArgs)
    })
  const [options, more] = [optionsIn(described.options), optionsIn(described.more)]
  const isRead = [...options, ...more].some(({ reads }) => reads !== undefined)
  // Not for a command that needs none of them: they are more code than most commands.
  const readers = isRead ? (await import('./readers.ts')).readers : {}
  for (const option of options) command.addOption(optionOf(option, readers))
  for (const option of more) command.addOption(optionOf(option, readers).helpGroup('More options:'))
  if (notes) command.addHelpText('after', filled(notes))
}

/** Longer lines are hard to read. */
const MOST_WIDE = 100

/** Lines in the width of the terminal; indented ones stay as they are. */
const filled =
  (lines: readonly string[]) =>
  ({ command }: commander.AddHelpTextContext) => {
    const width = Math.min(command.configureOutput().getOutHelpWidth?.() ?? 80, MOST_WIDE)
    const help = command.createHelp()
    const wrapped = lines.map((line) => (line.startsWith(' ') ? line : help.boxWrap(line, width)))
    return `\n${wrapped.join('\n')}`
  }

type Described = Option & { readonly flags: string }

function optionsIn(options: Options = {}): Described[] {
  const all: Options = shared
  return Object.entries(options).map(([flags, own]) => {
    const said = own === true ? all[flags] : own
    return typeof said === 'object' ? { ...said, flags } : { help: `${said}`, flags }
  })
}

function optionOf(described: Described, readers: Readers): commander.Option {
  const { flags, help, reads, repeats, usual, conflicts = [] } = described
  const option = new commander.Option(flags, help)
    .conflicts([...conflicts])
    .makeOptionMandatory(described.isRequired ?? false)
    .hideHelp(described.isHidden ?? false)
  const reader = reads === undefined ? described : readers[reads]
  if (repeats) option.argParser((text, before: readonly string[] = []) => [...before, text])
  if (reader && 'choices' in reader) option.choices(reader.choices)
  if (!reader || !('parse' in reader))
    return usual === undefined ? option : option.default(usual, usual)
  const { parse, must } = reader
  option.argParser((text) => {
    const value = parse(text)
    if (value !== undefined) return value
    throw new commander.InvalidArgumentError(`Must be ${must}.`)
  })
  return usual === undefined ? option : option.default(parse(usual), usual)
}
