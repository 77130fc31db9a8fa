import { realpathSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { readStoreSettings } from '../config/store-settings.ts'
import { variables } from '../config/variables.ts'
import { isPackage, productFolder } from '../product/folders.mjs'
import product from '../product/product.ts'
import { builtFor } from './install/findings.ts'
import { orOperatorError, run } from './run.ts'
import { OperatorError } from './terminal/operator-error.ts'
import { refuseOthersFiles } from './update/alone.ts'
import { carryOut } from './update/carry-out.ts'
import { gitSource } from './update/git-source.ts'
import { refuseOtherList } from './update/right-list.ts'
import { refuseOtherUser } from './update/right-user.ts'
import { findService, refuseOtherSettings } from './update/service.ts'
import { readState, workIn } from './update/state.ts'
import { holdUpdate, type UpdateOptions, update } from './update/update.ts'

export interface UpdateArguments extends UpdateOptions {
  /** A branch of a remote, such as `origin/main`. */
  readonly from?: string
  /** The whole id of a commit of it. */
  readonly to?: string
  /** A file of the keys that may sign. */
  readonly signed?: string
  readonly stop?: string
  readonly start?: string
  /** Another installation than that of this program. */
  readonly in?: string
}

/** `update`: the half of it that the installed program does. */
export function runUpdate(options: UpdateArguments): Promise<void> {
  if (isPackage && options.in === undefined) return run({}, () => Promise.reject(byNpm()))
  const root = realpathSync(options.in ?? productFolder)
  const { env, stdin } = process
  const place = {
    ...{ root, env, ...listOf(root) },
    source: gitSource(root, workIn(root), { ...options, signers: options.signed }),
    builtFor: builtFor(root),
    findService: () => findService(root, env, options),
    ask: stdin.isTTY ? ask : undefined,
  }
  return run({}, (out) => {
    refuseOthersFiles(root)
    return update(options, place, out)
  })
}

/** In a folder of the founder's own, our code is a package, and npm brings the next version. */
function byNpm(): OperatorError {
  return new OperatorError(
    'Here the program is a package: "npm install opening-bell@latest --save-exact" updates it. Make a back-up first, and restart the server after it.',
  )
}

/** The half that the version to come does. @param at the installation. */
export function runSecondHalf(at: string): Promise<void> {
  const root = realpathSync(at)
  refuseOtherUser(root)
  const state = readState(root)
  if (!state) throw new OperatorError('No update is under way here.')
  // One that has begun is safer at its end.
  if (state.phase === 'staged') refuseOthersFiles(root)
  refuseOtherSettings(state.service, process.env)
  const list = listOf(root)
  refuseOtherList(state, list.isFirestore, list.dataDir)
  const letGo = holdUpdate(root)
  const source = gitSource(root, workIn(root))
  const { appId } = product
  const all = { root, source, appId, env: process.env, ...list }
  return run({}, (out) => carryOut(all, state, out)).finally(letGo)
}

/** @param root where a relative `DATA_DIR` begins. */
function listOf(root: string) {
  const read = variables(process.env)
  const { kind, dataDir } = orOperatorError(read.result(readStoreSettings(read, root)))
  return { isFirestore: kind === 'firestore', dataDir }
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C is a no.
  const answer = await terminal.question(question).catch(() => '')
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
