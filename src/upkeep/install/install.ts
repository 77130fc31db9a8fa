import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { builtFor, type Finding, settingsIn } from './findings.ts'
import { type Place, type ServiceFile, service, serviceFiles } from './service-files.ts'

/** The machine on which the service is installed. */
export interface Machine extends Place {
  /** Stands before every path that is written; empty for the machine itself. */
  readonly prefix: string
  readonly isRoot: boolean
  /** The problems, as `findings` gives them. */
  readonly problems: readonly Finding[]
  /** Runs a program in the operator's terminal. @returns whether it ended well. */
  run(command: readonly [string, ...string[]]): boolean
}

const commands = [
  ['systemd-sysusers', service.users],
  ['systemctl', 'daemon-reload'],
  ['systemctl', 'enable', service.unit, service.watchdog, service.backup, service.rehearsal],
  ['systemctl', 'restart', service.unit, service.backup, service.rehearsal],
] as const

/** What an installation would do. */
export interface InstallPlan {
  readonly files: readonly (ServiceFile & { readonly state: FileState })[]
  /** Existing files that are not as this version writes them. */
  readonly changed: readonly string[]
  readonly commands: readonly (readonly [string, ...string[]])[]
  /** Whether back-ups will hold the list and its keys unencrypted. */
  readonly isInTheClear: boolean
  readonly hasSystemd: boolean
}

/** Plans an installation on this machine; changes nothing. */
export function planInstall(machine: Machine): InstallPlan {
  const { root, prefix } = machine
  const files = serviceFiles(machine, builtFor(root) ?? null).map((file) => ({
    ...file,
    state: stateOf(file, prefix),
  }))
  return {
    files,
    changed: files.filter(({ state }) => typeof state === 'object').map(({ path }) => path),
    commands,
    isInTheClear: areKeysInTheClear(prefix),
    hasSystemd: existsSync(join(prefix, '/run/systemd/system')),
  }
}

/** Does what was planned. @returns the first command that failed, if one did. */
export function install({ files, commands }: InstallPlan, { prefix, run }: Machine) {
  for (const { state, ...file } of files) if (state !== 'same') write(file, prefix)
  return commands.find((command) => !run(command))
}

/** Whether copies will be unencrypted; `false` where only root can know. */
function areKeysInTheClear(prefix: string): boolean {
  const found = settingsIn(prefix)
  if (!found) return !existsSync(join(prefix, service.settings))
  return !found.settings.BACKUP_PASSPHRASE
}

/** The state of a file; `differences` as `diff` shows them. */
export type FileState = 'new' | 'same' | { readonly differences: readonly string[] }

function stateOf({ path, text, onceOnly }: ServiceFile, prefix: string): FileState {
  const file = join(prefix, path)
  if (!existsSync(file)) return 'new'
  if (onceOnly) return 'same'
  const before = readFileSync(file, 'utf8')
  if (before === text) return 'same'
  const [theirs, ours] = [before.split('\n'), text.split('\n')]
  return {
    differences: [
      ...theirs.filter((line) => !ours.includes(line)).map((line) => `- ${line}`),
      ...ours.filter((line) => !theirs.includes(line)).map((line) => `+ ${line}`),
    ],
  }
}

/** Writes a file as a whole or not at all, with its permissions from the first byte. */
function write({ path, mode, text }: ServiceFile, prefix: string) {
  const file = join(prefix, path)
  mkdirSync(dirname(file), { recursive: true })
  if (existsSync(file)) copyFileSync(file, `${file}.before`)
  const unfinished = `${file}.part`
  writeFileSync(unfinished, text, { mode })
  chmodSync(unfinished, mode)
  renameSync(unfinished, file)
}
