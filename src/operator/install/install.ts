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
import { exitCodes } from '../terminal/exit-codes.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Out } from '../terminal/out.ts'
import { builtFor, settingsIn } from './findings.ts'
import { type Place, type ServiceFile, service, serviceFiles, unitFiles } from './service-files.ts'

export interface InstallOptions {
  /** Print the units and do nothing else. */
  readonly print?: boolean
  /** Do it; without this it is only shown. */
  readonly yes?: boolean
  /** Also replace files that are not as an installation wrote them. */
  readonly replace?: boolean
}

/** The machine on which the service is installed. */
export interface Machine extends Place {
  /** Stands before every path that is written; empty for the machine itself. */
  readonly prefix: string
  readonly isRoot: boolean
  /** What stands in the way, as `findings` gives it. */
  readonly problems: readonly string[]
  /** Runs a program in the operator's terminal. @returns whether it ended well. */
  run(command: readonly [string, ...string[]]): boolean
}

const commands = [
  ['systemd-sysusers', service.users],
  ['systemctl', 'daemon-reload'],
  ['systemctl', 'enable', service.unit, service.watchdog, service.backup, service.rehearsal],
  ['systemctl', 'restart', service.unit, service.backup, service.rehearsal],
] as const

/** `install --systemd`: shows what it would do, and does it with `yes`. */
export async function install(options: InstallOptions, machine: Machine, out: Out) {
  const { print, yes, replace } = options
  const { problems } = machine
  if (print) {
    for (const { path, text } of unitFiles(machine)) await out.write(`# ${path}\n${text}\n`)
    return exitCodes.done
  }

  const files = serviceFiles(machine, builtFor(machine.root) ?? null).map((file) => ({
    ...file,
    state: stateOf(file, machine.prefix),
  }))
  const changed = files.filter(({ state }) => typeof state === 'object')

  out.say(`To run the server in ${machine.root} as a service:`)
  for (const { path, state } of files) {
    out.say(`  ${words(state)} ${path}`)
    if (typeof state === 'object') for (const line of state.differences) out.say(`      ${line}`)
  }
  for (const command of commands) out.say(`  run    ${command.join(' ')}`)
  if (areKeysInTheClear(machine.prefix)) out.say(IN_THE_CLEAR)
  for (const problem of problems) out.say(`${out.style.red('PROBLEM')} ${problem}`)

  if (!yes) {
    const again = changed.length > 0 && !replace ? '--yes --replace' : '--yes'
    const advice = problems.length > 0 ? '' : ` The same again with ${again} does it.`
    out.say(`Nothing was changed.${advice}`)
    return problems.length > 0 ? exitCodes.failed : exitCodes.done
  }
  if (problems.length > 0) throw new OperatorError('Nothing was changed, because of the above.')
  if (changed.length > 0 && !replace)
    throw new OperatorError(
      `Nothing was changed: ${changed.map(({ path }) => path).join(', ')} ${changed.length === 1 ? 'is' : 'are'} not as this version writes it. --replace replaces it, and keeps the old one beside it as ….before`,
    )
  if (!existsSync(join(machine.prefix, '/run/systemd/system')))
    throw new OperatorError('Nothing was changed: systemd does not run on this machine.')
  if (!machine.isRoot)
    throw new OperatorError('Nothing was changed: only root may do this. The same again with sudo.')

  for (const { state, ...file } of files) if (state !== 'same') write(file, machine.prefix)
  for (const command of commands)
    if (!machine.run(command))
      throw new OperatorError(
        `"${command.join(' ')}" failed. What went wrong: journalctl -u ${service.unit} -n 20`,
      )
  out.say(`Done. Settings: ${service.settings}. The operator's tool: sudo opening-bell status`)
  return exitCodes.done
}

const IN_THE_CLEAR = `Back-ups hold the list and its keys unencrypted, in ${service.backups}, until BACKUP_RECIPIENTS or BACKUP_PASSPHRASE in ${service.settings} encrypts them: docs/backups.md.`

/** Whether copies will be plain; not where only root can know. */
function areKeysInTheClear(prefix: string): boolean {
  const found = settingsIn(prefix)
  if (!found) return !existsSync(join(prefix, service.settings))
  const { STORE, BACKUP_RECIPIENTS, BACKUP_PASSPHRASE } = found.settings
  return STORE !== 'firestore' && !BACKUP_RECIPIENTS?.trim() && !BACKUP_PASSPHRASE
}

type State = 'new' | 'same' | { readonly differences: readonly string[] }

const words = (state: State) =>
  state === 'new' ? 'write ' : state === 'same' ? 'leave ' : 'CHANGE'

function stateOf({ path, text, onceOnly }: ServiceFile, prefix: string): State {
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

/** Whole or not at all, and with its rights from the first byte. */
function write({ path, mode, text }: ServiceFile, prefix: string) {
  const file = join(prefix, path)
  mkdirSync(dirname(file), { recursive: true })
  if (existsSync(file)) copyFileSync(file, `${file}.before`)
  const unfinished = `${file}.part`
  writeFileSync(unfinished, text, { mode })
  chmodSync(unfinished, mode)
  renameSync(unfinished, file)
}
