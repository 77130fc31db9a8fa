/**
 * Ends an interrupted update, from the new version beside it and without packages, as those may be
 * between two folders: `node end.ts <installation>`.
 */
import { realpathSync } from 'node:fs'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import { update } from './update.ts'

const root = realpathSync(String(process.argv[2]))
// What it began with is in its file.
const begun = { dataDir: '', service: { stop: '', start: '' } }
const place = { root, env: process.env, readyWithinMs: 60_000, say: console.error, ...begun }
process.exitCode = await update(place, false).catch((cause: unknown) => {
  if (!(cause instanceof OperatorError)) throw cause
  console.error(cause.message)
  return exitCodes.failed
})
