import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../terminal/operator-error.ts'
import { type Ended, lastLines, runCommand } from './command.ts'
import { ownerOf } from './owner.ts'
import { ownUrl, whyNotReady } from './ready.ts'
import { tryServer } from './trial.ts'

/** What runs the server; written down with the rest. */
export type ServiceKind =
  | { readonly kind: 'systemd' }
  | { readonly kind: 'commands'; readonly stop: string; readonly start: string }
  /** Nothing runs: whoever updates starts it afterwards. */
  | { readonly kind: 'none' }

export interface Service {
  /** Lets go of the list. @throws OperatorError */
  stop(): Promise<void>
  /** Runs the code that is there now. @returns why it is not ready, in the end; or `undefined`. */
  restart(withinMs: number): Promise<string | undefined>
}

const UNIT = 'opening-bell.service'

/**
 * @param root where the code is. @param env the server's settings. @param dataDir its list.
 * @param say tells the operator of a stop that failed and need not hold anything up.
 */
export function serviceOf(
  kind: ServiceKind,
  root: string,
  env: NodeJS.ProcessEnv,
  dataDir: string,
  say: (line: string) => void,
): Service {
  const orThrow = (what: string, ended: Ended) => {
    if (ended.status !== 0) throw new OperatorError(`"${what}" failed: ${lastLines(ended, 5)}`)
  }
  const systemctl = (verb: string) => runCommand('systemctl', [verb, UNIT], { cwd: root })
  const shell = async (line: string) =>
    // What it starts goes on, and must not hold our output open. A Ctrl-C is not for it.
    orThrow(
      line,
      await runCommand('sh', ['-c', `trap '' HUP INT; ${line} >/dev/null`], {
        ...{ cwd: root, isShown: true },
      }),
    )
  const ready = (withinMs: number) => whyNotReady(ownUrl(env), withinMs)

  /** Nothing may run that could be stopped: the version that is in place may have ended by itself. */
  const stopWith = async (line: string) => {
    try {
      await shell(line)
    } catch (cause) {
      if (!(cause instanceof OperatorError) || (await isServing(env))) throw cause
      say(`${cause.message.trim()} No server answers at ${ownUrl(env)}, so it goes on.`)
    }
  }

  switch (kind.kind) {
    case 'systemd':
      return {
        stop: async () => orThrow(`systemctl stop ${UNIT}`, await systemctl('stop')),
        async restart(withinMs) {
          const { status } = await systemctl('restart')
          const why = await ready(status === 0 ? withinMs : 0)
          return why && `${why}: journalctl -u ${UNIT} -n 20`
        },
      }
    case 'commands':
      return {
        stop: () => stopWith(kind.stop),
        async restart(withinMs) {
          try {
            await stopWith(kind.stop)
            await shell(kind.start)
          } catch (cause) {
            if (!(cause instanceof OperatorError)) throw cause
            return cause.message
          }
          return ready(withinMs)
        },
      }
    case 'none':
      return {
        stop: async () => {},
        // On the list itself, which it brings up; nobody but us can reach it.
        restart: (withinMs) =>
          tryServer({
            code: root,
            env: { ...env, DATA_DIR: dataDir },
            owner: ownerOf(dataDir),
            withinMs,
          }),
      }
  }
}

/** Only as the service does the command read its settings. @throws OperatorError for any other. */
export function refuseOtherSettings({ kind }: ServiceKind, env: NodeJS.ProcessEnv): void {
  if (kind === 'systemd' && !env.DATA_DIR?.trim())
    throw new OperatorError(
      'systemd runs the server, with settings that are not set here: sudo opening-bell update',
    )
}

/**
 * Finds out what runs the server. @throws OperatorError where something does that cannot be
 * restarted from here.
 */
export async function findService(
  root: string,
  env: NodeJS.ProcessEnv,
  { stop, start }: { stop?: string | undefined; start?: string | undefined },
  prefix = '',
): Promise<ServiceKind> {
  if (stop !== undefined && start !== undefined) return { kind: 'commands', stop, start }
  if (stop !== undefined || start !== undefined)
    throw new OperatorError('Name both, --stop and --start.')
  const unit = join(prefix, '/etc/systemd/system', UNIT)
  const isOurs =
    existsSync(unit) &&
    existsSync(join(prefix, '/run/systemd/system')) &&
    readFileSync(unit, 'utf8').includes(
      `"${join(root, 'src/server/main.ts').replaceAll('%', '%%')}"`,
    )
  if (isOurs) {
    if (process.geteuid?.() !== 0)
      throw new OperatorError(
        'systemd runs the server, and only root may restart it: sudo opening-bell update',
      )
    const found = { kind: 'systemd' } as const
    refuseOtherSettings(found, env)
    return found
  }
  if (await isServing(env))
    throw new OperatorError(
      `A server runs at ${ownUrl(env)}, and systemd does not run it. Stop it first, and start it again afterwards; or say what stops and starts it, with --stop "…" --start "…".`,
    )
  return { kind: 'none' }
}

function isServing(env: NodeJS.ProcessEnv): Promise<boolean> {
  return fetch(`${ownUrl(env)}/healthz`, { signal: AbortSignal.timeout(2000) }).then(
    async (answer) => (await answer.text()).includes('alive'),
    () => false,
  )
}

export function serviceInWords(kind: ServiceKind): string {
  switch (kind.kind) {
    case 'systemd':
      return `Then: systemctl restart ${UNIT}`
    case 'commands':
      return `Then: ${kind.stop}; ${kind.start}`
    case 'none':
      return 'No server runs here now. The new version is tried on the list; you start it afterwards.'
  }
}
