import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../terminal/operator-error.ts'
import { service } from '../../upkeep/install/service-files.ts'

/** The shell's commands that stop the server, and start it without waiting until it is ready. */
export interface Service {
  readonly stop: string
  readonly start: string
}

/**
 * The commands that are given, or systemd's.
 *
 * @param prefix before the system's folders. @throws OperatorError if it cannot be restarted from here.
 */
export function serviceOf(
  root: string,
  env: NodeJS.ProcessEnv,
  { stop, start }: { stop?: string | undefined; start?: string | undefined },
  prefix = '',
): Service {
  if (stop !== undefined && start !== undefined) return { stop, start }
  const unit = join(prefix, '/etc/systemd/system', service.unit)
  const server = `"${join(root, 'src/server/main.ts').replaceAll('%', '%%')}"`
  const isOurs = existsSync(unit) && readFileSync(unit, 'utf8').includes(server)
  if (!isOurs || !existsSync(join(prefix, '/run/systemd/system')))
    throw new OperatorError('Say what stops and what starts the server: --stop "…" --start "…".')
  // The settings of the service are read only by this call.
  if (process.geteuid?.() !== 0 || !env.DATA_DIR?.trim())
    throw new OperatorError(`systemd runs the server: ${service.call} update`)
  return {
    stop: `systemctl stop ${service.unit}`,
    start: `systemctl start --no-block ${service.unit}`,
  }
}
