import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../terminal/operator-error.ts'
import { service } from '../../upkeep/install/service-files.ts'

/**
 * The commands that stop and start the server: those that are given, or systemd's.
 *
 * @param isLook nothing is restarted. @param prefix before the system's folders.
 * @throws OperatorError if it cannot be restarted from here.
 */
export function serviceOf(
  root: string,
  env: NodeJS.ProcessEnv,
  { stop, start }: { stop?: string | undefined; start?: string | undefined },
  isLook: boolean,
  prefix = '',
): { readonly stop: string; readonly start: string } {
  if (stop !== undefined && start !== undefined) return { stop, start }
  const unit = join(prefix, '/etc/systemd/system', service.unit)
  const isOurs =
    existsSync(unit) &&
    existsSync(join(prefix, '/run/systemd/system')) &&
    readFileSync(unit, 'utf8').includes(
      `"${join(root, 'src/server/main.ts').replaceAll('%', '%%')}"`,
    )
  // The settings of the service are read only by this call.
  const isAsService = process.geteuid?.() === 0 && env.DATA_DIR?.trim()
  if (isOurs && !isAsService && !isLook)
    throw new OperatorError(`systemd runs the server: ${service.call} update`)
  if (!isOurs && !isLook)
    throw new OperatorError('Say what stops and what starts the server: --stop "…" --start "…".')
  return {
    stop: `systemctl stop ${service.unit}`,
    start: `systemctl start --no-block ${service.unit}`,
  }
}
