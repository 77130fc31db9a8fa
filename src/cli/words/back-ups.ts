import { commandLine } from '../../product/command-line.ts'
import { commands } from '../../shared/commands.ts'
import { counted, localTime } from '../../terminal/words.ts'
import type { CopiesLeft, FolderLeft } from '../../upkeep/back-up/copies-left.ts'
import type { SealState } from '../../upkeep/back-up/seal.ts'

/** The state of a copy's seal, in a sentence. */
export const sealInWords: Readonly<Record<SealState, string>> = {
  whole: 'Its seal is right: nobody has changed it since it was made.',
  wrong:
    'ITS SEAL IS WRONG: somebody has changed it, or it was not sealed with the key that is here.',
  unknown:
    'Its seal cannot be checked: the key is not here, neither as BACKUP_SEAL_KEY nor as seal.key in DATA_DIR.',
}

/** What is held after a restore. */
export const restoredHold = (): string =>
  `No announcement that the copy does not know leaves until you have looked at the list, and said that it is right: ${commandLine(commands.listIsRight)}.`

/** Where an address that was just erased may still be, in sentences. @param they the address, or `them`. */
export function copiesLeftInWords({ folders, before }: CopiesLeft, they: string): string[] {
  return [
    ...before.map(
      (name) =>
        `${name} in DATA_DIR, the list from before a restore, may still have ${they}: delete it.`,
    ),
    ...folders.flatMap((one) => folderInWords(one, they)),
    `Copies and exports that you made elsewhere may have ${they} too, and so may a replica of Litestream: this list does not know of such files.`,
  ]
}

function folderInWords(left: FolderLeft, they: string): string[] {
  const { folder, copies, cleanOn, others, missing } = left
  const day = (time: Date) => localTime(time).slice(0, 10)
  const [it, were] = missing === 1 ? ['it', 'was'] : ['they', 'were']
  return [
    cleanOn &&
      `${counted(copies, 'back-up')} in ${folder} from before may still have ${they}. With a new one each night, the last of these is removed on ${day(cleanOn)}.`,
    others > 0 &&
      `${counted(others, 'other file')} in ${folder} may have ${they} too, and no rule removes ${others === 1 ? 'it' : 'them'}: look there yourself.`,
    missing > 0 &&
      `${counted(missing, 'back-up')} that ${were} made in ${folder} ${missing === 1 ? 'is' : 'are'} not there now: wherever ${it} ${missing === 1 ? 'is' : 'are'}, ${it} may have ${they} too.`,
  ].filter((line) => typeof line === 'string')
}
