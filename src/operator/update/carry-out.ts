import { exitCodes } from '../terminal/exit-codes.ts'
import type { Out } from '../terminal/out.ts'
import { standApart } from './command.ts'
import { foldersForth, foldersOf } from './folders.ts'
import { goBack } from './go-back.ts'
import { READY_WITHIN_MS } from './ready.ts'
import { rehearseVersion } from './rehearse-version.ts'
import { listNamed } from './right-list.ts'
import { serviceOf } from './service.ts'
import { endState, type Installation, nextIn, type UpdateState, writeState } from './state.ts'

/**
 * The second half of an update, by the version to come: rehearses itself, takes the place of the old
 * one, and goes back if it is not ready there. Goes on from wherever a killed one was.
 *
 * @returns the exit code. @throws OperatorError
 */
export async function carryOut(all: Installation, begun: UpdateState, out: Out): Promise<number> {
  const { root, source, env, isFirestore, dataDir } = all
  let state = begun
  const service = serviceOf(state.service, root, env, dataDir, (line) => out.say(line))
  const names = source.words(state.plan)

  if (state.phase === 'staged') {
    try {
      const { betweenWaves } = state
      const place = { ...all, next: nextIn(root), betweenWaves }
      const { listVersion, tookMs } = await rehearseVersion(place, out)
      if (!(await source.isAsPlanned(state.plan))) {
        out.say('Somebody changed something here meanwhile. Nothing was changed: start again.')
        endState(root)
        return exitCodes.failed
      }
      const readyWithinMs = state.readyWithinMs || Math.max(READY_WITHIN_MS, 3 * tookMs)
      const list = listNamed(isFirestore, dataDir)
      // The version before may not know of all.
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
  // Who serves the code may read it, whatever the umask of whoever updates.
  process.umask(0o022)
  // From here on, it is either finished or taken back: a Ctrl-C would leave it in the middle.
  standApart()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => out.say('It is being finished; that takes a moment.'))

  if (state.phase === 'forth') {
    out.say(`Putting ${names.after} in place of ${names.before} …`)
    await source.forth(state.plan)
    foldersForth(root, state.folders)
    state = writeState(root, { ...state, phase: 'check' })
  }

  if (state.phase === 'check') {
    out.say('Starting it …')
    const why = await service.restart(state.readyWithinMs)
    if (why === undefined) {
      endState(root)
      out.say(wordsOfEnd(state, names.after))
      return exitCodes.done
    }
    out.say(out.style.red(`The new version is not ready: ${why}`))
    if (isFirestore && state.firestoreSteps > 0) {
      endState(root)
      out.say(
        `It stays, as Firestore may be of its version by now, which the old one refuses. What it says is in the log. The code of before: git diff ${state.plan.head} ${state.plan.after}`,
      )
      return exitCodes.failed
    }
    state = writeState(root, { ...state, phase: 'back' })
  }

  return goBack(all, state, service, out)
}

function wordsOfEnd({ service }: UpdateState, after: string): string {
  return service.kind === 'none'
    ? `${after} is in place, and was ready on your list. Start it now, as before.`
    : `${after} runs, and is ready.`
}
