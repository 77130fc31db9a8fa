import type { Report } from '../report.ts'
import { standApart } from './command.ts'
import { foldersForth, foldersOf } from './folders.ts'
import { goBack } from './go-back.ts'
import { READY_WITHIN_MS } from './ready.ts'
import { rehearseVersion } from './rehearse-version.ts'
import { serviceOf } from './service.ts'
import {
  endState,
  type Installation,
  listNamed,
  nextIn,
  type UpdateState,
  writeState,
} from './state.ts'

/**
 * The second half of an update, by the new version: rehearses itself, replaces the old version, and
 * goes back if it is not ready there. Goes on from where a killed update was.
 *
 * @returns whether the new version is in place and ready. @throws Refused
 */
export async function carryOut(
  all: Installation,
  begun: UpdateState,
  report: Report,
): Promise<boolean> {
  const { root, source, env, isFirestore, dataDir } = all
  let state = begun
  const service = serviceOf(state.service, root, env, dataDir, (failed) =>
    report('stop-failed', failed),
  )
  const names = source.words(state.plan)

  if (state.phase === 'staged') {
    try {
      const place = { ...all, next: nextIn(root) }
      const { listVersion, tookMs } = await rehearseVersion(place, report)
      if (!(await source.isAsPlanned(state.plan))) {
        report('changed-meanwhile', {})
        endState(root)
        return false
      }
      const readyWithinMs = state.readyWithinMs || Math.max(READY_WITHIN_MS, 3 * tookMs)
      const list = listNamed(isFirestore, dataDir)
      // The old version may not know all of them.
      const folders = foldersOf(nextIn(root))
      state = writeState(root, {
        ...state,
        phase: 'forth',
        folders,
        list,
        listVersion,
        readyWithinMs,
      })
    } catch (cause) {
      if (state.phase === 'staged') endState(root)
      throw cause
    }
  }
  // The service's user must be able to read the code, with any umask of the operator.
  process.umask(0o022)
  // From here on the update is either finished or taken back: a Ctrl-C would leave it in the
  // middle.
  standApart()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => report('being-finished', {}))

  if (state.phase === 'forth') {
    report('going-forth', names)
    await source.forth(state.plan)
    foldersForth(root, state.folders)
    state = writeState(root, { ...state, phase: 'check' })
  }

  if (state.phase === 'check') {
    report('starting', {})
    const why = await service.restart(state.readyWithinMs)
    if (why === undefined) {
      endState(root)
      report('in-place', { after: names.after, service: state.service })
      return true
    }
    report('not-ready', why)
    if (isFirestore && state.firestoreSteps > 0) {
      endState(root)
      report('stays-in-firestore', { before: state.plan.head ?? '', after: state.plan.after ?? '' })
      return false
    }
    state = writeState(root, { ...state, phase: 'back' })
  }

  await goBack(all, state, service, report)
  return false
}
