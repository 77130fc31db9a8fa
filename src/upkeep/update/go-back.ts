import { newestListVersion } from '../../store/list-at-rest.ts'
import { refused } from '../refusal.ts'
import type { Report } from '../report.ts'
import { foldersBack, foldersForth } from './folders.ts'
import { listSteps } from './owner.ts'
import { READY_WITHIN_MS } from './ready.ts'
import type { Service } from './service.ts'
import { endState, type Installation, nextIn, type UpdateState } from './state.ts'

/**
 * Brings the old version back, unless the list is of the new version by now. After a kill it can be
 * done again, from any state in between.
 *
 * @throws Refused if the list is newer, or cannot be read; then the new version is in place again.
 */
export async function goBack(
  all: Installation,
  state: UpdateState,
  service: Service,
  report: Report,
) {
  const { root, source, isFirestore, dataDir } = all
  const names = source.words(state.plan)
  const steps = listSteps(dataDir, nextIn(root))
  const to = isFirestore ? undefined : state.listVersion

  // The time that was set for the new version may be too short for this one.
  const withinMs = Math.max(READY_WITHIN_MS, state.readyWithinMs)

  report('going-back', names)
  await source.back(state.plan)
  foldersBack(root, state.folders)
  await listBack()
  let why = await service.restart(withinMs)
  // A server of the new version that could not be stopped may have migrated the list after our
  // look.
  if (why !== undefined && (await orForth(isNewer))) {
    await listBack()
    why = await service.restart(withinMs)
  }
  endState(root)
  report('went-back', { before: names.before, why })

  async function isNewer() {
    if (to === undefined || newestListVersion <= to) return false
    const list = await steps.look()
    return list !== undefined && list.version > to
  }

  async function listBack() {
    if (to === undefined || newestListVersion <= to) return
    await orForth(async () => {
      // Before the look, since a server that was not ready in time may still be at the list.
      await service.stop()
      if (!(await isNewer())) return
      const said = `The list is of version ${newestListVersion} by now, which the version before does not read.`
      throw refused({ code: 'list', said })
    })
  }

  /** The new version is better than none: it shows the page, and may recover. */
  async function orForth<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (cause) {
      await source.forth(state.plan)
      foldersForth(root, state.folders)
      await service.restart(0)
      report('list-stays-new', {})
      throw cause
    }
  }
}
