/**
 * The second half of an update, run by the new version: `node update-main.ts <installation>`.
 * It needs no packages, since they may be moving between folders.
 */

import { realpathSync } from 'node:fs'
import { exitCodes } from '../terminal/exit-codes.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import { refuseOthersFiles } from '../upkeep/update/alone.ts'
import { carryOut } from '../upkeep/update/carry-out.ts'
import { gitSource } from '../upkeep/update/git-source.ts'
import { refuseOtherUser } from '../upkeep/update/right-user.ts'
import { refuseOtherSettings } from '../upkeep/update/service.ts'
import { readState, refuseOtherList, workIn } from '../upkeep/update/state.ts'
import { holdUpdate } from '../upkeep/update/update.ts'
import { listOf, run } from './run.ts'
import { errorInWords } from './words/refusals.ts'
import { reportTo } from './words/told.ts'

try {
  await secondHalf(realpathSync(String(process.argv[2])))
} catch (error) {
  console.error(errorInWords(error))
  process.exitCode = exitCodes.failed
}
process.stdout.write('', () => process.exit())

async function secondHalf(root: string): Promise<void> {
  refuseOtherUser(root)
  const state = readState(root)
  if (!state) throw new OperatorError('No update is under way here.')
  // An update that has begun is safer finished.
  if (state.phase === 'staged') refuseOthersFiles(root)
  refuseOtherSettings(state.service, process.env)
  const list = listOf(root)
  refuseOtherList(state, list.isFirestore, list.dataDir)
  const letGo = holdUpdate(root)
  const all = { root, source: gitSource(root, workIn(root)), env: process.env, ...list }
  await run({}, async (out) =>
    (await carryOut(all, state, reportTo(out))) ? exitCodes.done : exitCodes.failed,
  ).finally(letGo)
}
