import { realpathSync, statSync } from 'node:fs'
import { backupSettings, storeSettings } from '../../config/programs.ts'
import { sealKeyIn } from '../../keys/seal-key.ts'
import product from '../../product/product.ts'
import type { ListHolds } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { counted, grouped, inARow, localTime } from '../../terminal/words.ts'
import type { OpenCopy } from '../../upkeep/back-up/copy-file.ts'
import {
  lookInto,
  type Restored,
  type RestoreOptions,
  restore,
} from '../../upkeep/back-up/restore.ts'
import { ownDataFolder, run, runWithStore, setting, settingsOf } from '../run.ts'
import { restoredHold, sealInWords } from '../words/back-ups.ts'

/** What `restore` is given on its command line. */
export interface RestoreArguments {
  readonly check?: boolean
  readonly json?: boolean
  readonly trust?: boolean
  readonly listIsRight?: boolean
  readonly ignoreClock?: boolean
}

/** `restore`, of a copy that may be encrypted. @param named without one, only a hold is ended. */
export async function fromCommandLine(
  options: RestoreArguments,
  named: string | undefined,
): Promise<void> {
  const { check, json, trust, listIsRight, ignoreClock } = options
  if (named === undefined) {
    if (!listIsRight || check) throw new Misuse('Name the file of the copy.')
    return runWithStore({}, (store, out) => endHold(store.hold, out))
  }
  if (listIsRight)
    throw new Misuse('Restore the copy first, look at the list, and then say --list-is-right.')
  const settings = settingsOf(backupSettings)
  const { dataDir, linkKey } = settingsOf(storeSettings)
  ownDataFolder(dataDir)
  const { to } = settings
  const isFolder = to && statSync(to, { throwIfNoEntry: false })?.isDirectory()
  const given: RestoreOptions = {
    ...{ file: named, appId: product.appId, dataDir },
    linkKey: linkKey ?? undefined,
    sealKey: settings.sealKey ?? sealKeyIn(dataDir),
    passphrase: settings.passphrase,
    ...{ isTrusted: trust, ignoresClock: ignoreClock },
    ...(isFolder && {
      copies: { folder: realpathSync(to), keep: setting('BACKUP_KEEP') },
    }),
  }
  await run({}, async (out) =>
    check
      ? sayWhatIsInIt(await lookInto(given), json, out)
      : sayWhatCame(await restore(given), { json, to }, out),
  )
}

async function sayWhatCame(
  restored: Restored,
  { json, to }: { readonly json?: boolean | undefined; readonly to: string | undefined },
  out: Out,
) {
  const { added, known, forgotten, refused, announcements, stillToTell } = restored
  const { seal, madeAt, keys, opening, before, newest } = restored
  const isOurs = seal === 'whole'
  if (json) await out.json(restored)
  else
    out.say(
      `${grouped(added)} brought back, ${grouped(known)} on the list already, ${grouped(forgotten)} ${forgotten === 1 ? 'stays' : 'stay'} forgotten; ${counted(announcements, 'announcement')} brought back.`,
    )
  out.say(`The copy ${isOurs ? 'was' : 'says that it was'} made ${localTime(madeAt)}.`)
  if (keys.length > 0) out.say(`Of the copy, in use again: ${inARow(keys)}.`)
  if (newest && newest > madeAt)
    out.say(
      out.style.red(
        `THERE IS A NEWER COPY in ${to}, of ${localTime(newest)}. Restore that copy as well: otherwise people who left between the two copies get letters again.`,
      ),
    )
  if (opening) out.say(`The opening came back from the copy: the button leads to ${opening}`)
  if (stillToTell > 0)
    out.say(
      `${counted(stillToTell, 'person was', 'people were')} still to be told when the copy was made, and may have been told since: ${stillToTell === 1 ? 'their letter is' : 'their letters are'} uncertain now.`,
    )
  if (refused > 0) out.say(`${counted(refused, 'row')} of the copy cannot be read, and stay out.`)
  if (before)
    out.say(`The list that was there is ${before}: delete it once you do not need it any more.`)
  out.say(isOurs ? restoredHold() : out.style.red(`${sealInWords[seal]} ${restoredHold()}`))
  return !isOurs || refused > 0 ? exitCodes.partly : exitCodes.done
}

/** `restore --check`: says what is in a copy. */
async function sayWhatIsInIt(
  { counts, at: madeAt, keys, seal }: OpenCopy,
  json: boolean | undefined,
  out: Out,
) {
  const names = Object.keys(keys)
  const { subscribers, announcements } = counts
  if (json) await out.json({ subscribers, announcements, madeAt, keys: names, seal })
  else {
    out.say(
      `The copy, made ${localTime(madeAt)}, is readable: ${counted(subscribers, 'person', 'people')}, ${counted(announcements, 'announcement')}.`,
    )
    if (names.length > 0) out.say(`It has ${inARow(names)}.`)
    out.say(seal === 'whole' ? sealInWords.whole : out.style.red(sealInWords[seal]))
  }
  const { done, failed, partly } = exitCodes
  return { whole: done, wrong: failed, unknown: partly }[seal]
}

/** `restore --list-is-right`: announcements may leave again. */
async function endHold(store: ListHolds, out: Out) {
  const wasHeld = await store.end()
  out.say(wasHeld ? 'Announcements may leave again.' : 'No announcement was held back.')
  return exitCodes.done
}
