/** An option of a command, as its description has it. */
export interface Option {
  readonly help: string
  readonly choices?: readonly string[]
  /** Which of `readers` reads the value. */
  readonly reads?: string
  readonly repeats?: boolean
  /** Options that it cannot stand beside, as attributes. */
  readonly conflicts?: readonly string[]
  /** The value without the option. */
  readonly usual?: string
  readonly isRequired?: boolean
  readonly isHidden?: boolean
}

/** By their flags. `true` is for one of several commands, which options.json says once. */
export type Options = Readonly<Record<string, Option | string | boolean>>

/** A command of the tool, as it describes itself. Its work is loaded when it is called. */
export interface Command {
  readonly name: string
  /** What stands after the name, such as `<file>` or `[emails...]`. */
  readonly takes?: string
  /** The heading in `--help` and in docs/commands.md. */
  readonly group: string
  readonly help: string
  readonly options: Options
  /** Options that few need, which its help shows after the others. */
  readonly more?: Options
  /** Beneath the options: each is wrapped, unless it is indented. */
  readonly notes?: readonly string[]
  load(): Promise<CommandWork>
}

export interface CommandWork {
  /** Does it, and sets the exit code of the process. @param named what was given for `takes`. */
  fromCommandLine(options: object, ...named: readonly unknown[]): Promise<void>
}
