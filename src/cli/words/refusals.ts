import { join } from 'node:path'
import type { Refusal } from '../../announcement/refusal.ts'
import { commandLine } from '../../product/command-line.ts'
import { inWords, Refused, type Words } from '../../shared/refused.ts'
import { CopyFromLater, StoreUnavailable } from '../../store/subscriber-store.ts'
import type { FileProblem } from '../../tables/problems.ts'
import { faultText } from '../../terminal/fault-text.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import { printable } from '../../terminal/style.ts'
import { KEEP_RULE } from '../../upkeep/back-up/keep-rule.ts'
import type { BackUpRefusal } from '../../upkeep/back-up/refusals.ts'
import type { UpkeepRefusal } from '../../upkeep/refusal.ts'
import { announceRefusals } from './announce-refusals.ts'
import { tableRefusals } from './table-refusals.ts'
import { updateRefusals } from './update-refusals.ts'

/**
 * An error in words, safe for a terminal. One that the operator can put right keeps its own words.
 */
export function errorInWords(error: unknown): string {
  if (error instanceof Refused) return printable(inWords(all, error.why))
  if (error instanceof CopyFromLater)
    return printable(`${error.message} If the clock is right, add --ignore-clock.`)
  const isTheirs = error instanceof OperatorError || error instanceof StoreUnavailable
  return printable(isTheirs ? error.message : faultText(error))
}

const backUpRefusals: Words<BackUpRefusal> = {
  'other-back-up': () => 'Another back-up or rehearsal has been under way for ten minutes.',
  'no-recipient': ({ recipient }) => `"${recipient}" is no recipient of age: one begins with age1.`,
  'no-identity': () =>
    'An identity in that file is not one of age: those begin with AGE-SECRET-KEY-.',
  'no-rule': ({ keep }) => `--keep: is "${keep}", must be ${KEEP_RULE}`,
  'no-copy': ({ folder }) => `There is no copy in ${folder}: backup --keep makes one.`,
  'copy-folder': ({ folder, why, other }) => {
    const reasons = {
      missing: `is not there: make it with "mkdir -m 700 ${folder}"`,
      'no-folder': 'is no folder',
      inside: `is in ${other}; copies need a place of their own`,
      open: `others may look into it: run "chmod go-rwx ${folder}"`,
    }
    return `The folder for back-ups, ${folder}: ${reasons[why]}`
  },
  'not-decrypted': ({ file, why }) => `${file} cannot be decrypted: ${why}.`,
  'other-link-key': ({ dataDir }) =>
    `The copy was made with another link.key than ${join(dataDir, 'link.key')}, which is never replaced. If no letter has left from here yet, stop the server, keep what "${commandLine('export --all')}" prints, move everything in ${dataDir} away, and do this again.`,
  'damaged-rehearsal-key': ({ file }) =>
    `${file} is not as it was made: remove it, and the next back-up makes another.`,
}

/** The words for all that is refused below. */
const all: Words<Refusal | UpkeepRefusal | FileProblem> = {
  ...announceRefusals,
  ...backUpRefusals,
  ...tableRefusals,
  ...updateRefusals,
}
