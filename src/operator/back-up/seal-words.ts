import type { SealState } from '../../keys/seal-key.ts'
import type { ListHold } from '../../store/list-hold.ts'
import { commandLine } from '../terminal/command-line.ts'
import { localTime } from '../terminal/words.ts'

/** What the seal of a copy is worth, in a sentence. */
export const sealInWords: Readonly<Record<SealState, string>> = {
  whole: 'Its seal is right: nobody has changed it since it was made.',
  wrong: 'ITS SEAL IS WRONG: somebody has changed it since it was made.',
  other: 'Its seal cannot be checked: another key made it than the one that is here.',
  unknown:
    'Its seal cannot be checked: the key is not here, neither as BACKUP_SEAL_KEY nor as seal.key in DATA_DIR.',
  none: 'It has no seal: it is from a version before there were any, or somebody took the seal off.',
}

/** @param file of the copy that was restored. */
export function leftOutInWords(file: string): string {
  return `Its opening, session.key and invitation.key stay out, and no announcement leaves. Look at the list. If it is right: ${commandLine(`restore ${file} --list-is-right`)}, which brings the rest back as well.`
}

/** What `status` and `restore` say of a list that is held. */
export function holdInWords({ why, since }: ListHold): string {
  return `LOOK: no announcement leaves. A copy was restored ${localTime(since)}. ${sealInWords[why]} If the list is right: ${commandLine('restore --list-is-right')}`
}
