import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refused } from '../../shared/refused.ts'
import { refused, type UpdateRefusal } from '../refusal.ts'
import { type Ended, lastLines, runCommand } from './command.ts'
import { ownerOf } from './owner.ts'
import { type NotReady, ownUrl, whyNotReady } from './ready.ts'
import { tryServer } from './trial.ts'

/** What runs the server; it is stored in the state of the update. */
export type ServiceKind =
  | { readonly kind: 'systemd' }
  | { readonly kind: 'commands'; readonly stop: string; readonly start: string }
  /** Nothing runs: the operator starts it afterwards. */
  | { readonly kind: 'none' }

export interface Service {
  /** Stops the server, so that the list is free. @throws Refused */
  stop(): Promise<void>
  /** Runs the installed code. @returns why it is not ready; `undefined` if it is. */
  restart(withinMs: number): Promise<NotReady | undefined>
}

const UNIT = 'opening-bell.service'

/** A failed stop that can be ignored, since no server answers at `url`. */
export interface StopFailed {
  readonly command: string
  readonly said: string
  readonly url: string
}

/** @param root where the code is. @param env the server's settings. @param dataDir its list. */
export function serviceOf(
  kind: ServiceKind,
  root: string,
  env: NodeJS.ProcessEnv,
  dataDir: string,
  onStopFailed: (failed: StopFailed) => void,
): Service {
  const orThrow = (command: string, ended: Ended) => {
    if (ended.status !== 0) throw refused({ code: 'failed', command, said: lastLines(ended, 5) })
  }
  const systemctl = (verb: string) => runCommand('systemctl', [verb, UNIT], { cwd: root })
  const shell = async (line: string) =>
    // Programs that it starts go on, must not hold our output open, and ignore a Ctrl-C.
    orThrow(
      line,
      await runCommand('sh', ['-c', `trap '' HUP INT; ${line} >/dev/null`], {
        cwd: root,
        isShown: true,
      }),
    )
  const ready = (withinMs: number) => whyNotReady(ownUrl(env), withinMs)

  /** The stop may fail if the installed version has ended by itself. */
  const stopWith = async (line: string) => {
    try {
      await shell(line)
    } catch (cause) {
      if (!isFailure(cause) || (await isServing(env))) throw cause
      onStopFailed({ ...cause.why, url: ownUrl(env) })
    }
  }

  switch (kind.kind) {
    case 'systemd':
      return {
        stop: async () => orThrow(`systemctl stop ${UNIT}`, await systemctl('stop')),
        async restart(withinMs) {
          const { status } = await systemctl('restart')
          const why = await ready(status === 0 ? withinMs : 0)
          return why && { ...why, unit: UNIT }
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
            if (!isFailure(cause)) throw cause
            return { why: 'command', ...cause.why }
          }
          return ready(withinMs)
        },
      }
    case 'none':
      return {
        stop: async () => {},
        // On the list itself, which it migrates; only we can reach this server.
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

type Failure = Extract<UpdateRefusal, { readonly code: 'failed' }>

const isFailure = (cause: unknown): cause is Refused<Failure> =>
  cause instanceof Refused && cause.why.code === 'failed'

/** The service's settings are read only when called as the service. @throws Refused otherwise. */
export function refuseOtherSettings({ kind }: ServiceKind, env: NodeJS.ProcessEnv): void {
  if (kind === 'systemd' && !env.DATA_DIR?.trim()) throw refused({ code: 'systemd-settings' })
}

/**
 * Finds out what runs the server. @throws Refused if it cannot be restarted from here.
 */
export async function findService(
  root: string,
  env: NodeJS.ProcessEnv,
  { stop, start }: { stop?: string | undefined; start?: string | undefined },
  prefix = '',
): Promise<ServiceKind> {
  if (stop !== undefined && start !== undefined) return { kind: 'commands', stop, start }
  if (stop !== undefined || start !== undefined) throw refused({ code: 'stop-and-start' })
  const unit = join(prefix, '/etc/systemd/system', UNIT)
  const isOurs =
    existsSync(unit) &&
    existsSync(join(prefix, '/run/systemd/system')) &&
    readFileSync(unit, 'utf8').includes(
      `"${join(root, 'src/server/main.ts').replaceAll('%', '%%')}"`,
    )
  if (isOurs) {
    if (process.geteuid?.() !== 0) throw refused({ code: 'systemd-root' })
    const found = { kind: 'systemd' } as const
    refuseOtherSettings(found, env)
    return found
  }
  if (await isServing(env)) throw refused({ code: 'server-runs', url: ownUrl(env) })
  return { kind: 'none' }
}

function isServing(env: NodeJS.ProcessEnv): Promise<boolean> {
  return fetch(`${ownUrl(env)}/healthz`, { signal: AbortSignal.timeout(2000) }).then(
    async (answer) => (await answer.text()).includes('alive'),
    () => false,
  )
}
