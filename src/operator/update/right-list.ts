import { OperatorError } from '../terminal/operator-error.ts'
import type { UpdateState } from './state.ts'

/** The list of these settings, as the state of an update names it: its folder, or `Firestore`. */
export function listNamed(isFirestore: boolean, dataDir: string): string {
  return isFirestore ? 'Firestore' : dataDir
}

/**
 * By the settings of another list, an update that goes on would leave its own as it is: of the new
 * version under old code.
 *
 * @throws OperatorError that names the right one.
 */
export function refuseOtherList(
  { list }: UpdateState,
  isFirestore: boolean,
  dataDir: string,
): void {
  const named = listNamed(isFirestore, dataDir)
  if (list === undefined || list === named) return
  const right = list === 'Firestore' ? 'STORE=firestore' : `DATA_DIR=${list}`
  throw new OperatorError(
    `The update that is under way here is of the list in ${list}, and these settings have ${named}. Run the same command with all settings of the server, ${right} among them.`,
  )
}
