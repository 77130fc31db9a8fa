import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../terminal/operator-error.ts'
import { rootsAlone, wrongAbove, wrongIn } from '../../upkeep/install/code-rights.ts'
import { service } from '../../upkeep/install/service-files.ts'
import { withRemedy } from '../words/file-rights.ts'

/**
 * git's settings in a checkout name programs, and the code in it is run in the end: a user who may
 * write there would become root by an update.
 *
 * @param work where the new version is made. @throws OperatorError for a checkout of another user, and
 *   for root where others may write.
 */
export function refuseOthers(root: string, work: string): void {
  const git = join(root, '.git')
  if (!existsSync(git))
    throw new OperatorError(`${root} is no checkout of git, so nothing says where it is from.`)
  const { uid } = statSync(root)
  if (uid !== process.geteuid?.())
    throw new OperatorError(
      `${root} belongs to user ${uid}, who alone updates it: sudo ${uid === 0 ? '' : `-u '#${uid}' `}opening-bell update`,
    )
  if (uid !== 0) return
  const elsewhere = ['.git/commondir', '.git/objects/info/alternates'].map((one) => join(root, one))
  if (!lstatSync(git).isDirectory() || elsewhere.some((one) => existsSync(one)))
    throw new OperatorError(
      `${git} has parts in other folders, which root does not update: make it a clone of its own.`,
    )
  for (const place of [git, work].filter((one) => existsSync(one))) {
    const above = wrongAbove(place, rootsAlone)
    const wrong = above ? [above] : [...wrongIn(place, rootsAlone)]
    if (wrong.length > 0)
      throw new OperatorError(
        `${withRemedy(wrong)} Look first at what was written there: an update runs it as root. Nothing was changed.`,
      )
  }
}

/** The shell's commands that stop the server, and start it without waiting until it is ready. */
export interface Service {
  readonly stop: string
  readonly start: string
}

/**
 * The commands that are given, or systemd's.
 *
 * @param hasSettings whether this call has those of the service.
 * @param prefix before the system's folders. @throws OperatorError if it cannot be restarted from here.
 */
export function serviceOf(
  root: string,
  { stop, start, hasSettings }: Partial<Service> & { readonly hasSettings: boolean },
  prefix = '',
): Service {
  if (stop !== undefined && start !== undefined) return { stop, start }
  const unit = join(prefix, '/etc/systemd/system', service.unit)
  const server = `"${join(root, 'src/server/main.ts').replaceAll('%', '%%')}"`
  const isOurs = existsSync(unit) && readFileSync(unit, 'utf8').includes(server)
  if (!isOurs || !existsSync(join(prefix, '/run/systemd/system')))
    throw new OperatorError('Say what stops and what starts the server: --stop "…" --start "…".')
  // The settings of the service are read only by this call.
  if (process.geteuid?.() !== 0 || !hasSettings)
    throw new OperatorError(`systemd runs the server: ${service.call} update`)
  return {
    stop: `systemctl stop ${service.unit}`,
    start: `systemctl start --no-block ${service.unit}`,
  }
}
