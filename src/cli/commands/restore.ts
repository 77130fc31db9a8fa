import { realpathSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import { type BackupSettings, readBackupSettings } from '../../config/backup-settings.ts'
import type { StoreSettings } from '../../config/store-settings.ts'
import { productFolder } from '../../product/folders.mjs'
import product from '../../product/product.ts'
import {
  type Backups,
  type Copies,
  type Copy,
  difference,
  type KeptCopy,
  type RestoreReading,
} from '../../store/backups.ts'
import type { ListHolds } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { counted, grouped, inARow, localTime } from '../../terminal/words.ts'
import { needsPassphrase } from '../../upkeep/back-up/age.ts'
import {
  linkKeyForLook,
  linkKeyOfCopy,
  putKeysBack,
  putSealKey,
} from '../../upkeep/back-up/copied-keys.ts'
import { copyNames } from '../../upkeep/back-up/copy-folder.ts'
import { isLocked, type OpenCopy, withOpenCopy } from '../../upkeep/back-up/open-copy.ts'
import { knowOwnCopies } from '../../upkeep/back-up/own-copies.ts'
import { openersFor, sealKeyForRestore } from '../backup-secrets.ts'
import { needDataFolder, orOperatorError, runWithStore, storeSettings } from '../run.ts'
import { holdInWords, leftOutInWords, sealInWords } from '../words/back-ups.ts'
import { reportTo } from '../words/told.ts'

/** What `restore` is given on its command line. */
export interface RestoreArguments {
  readonly check?: boolean
  readonly json?: boolean
  /** A file as `age-keygen` writes it. */
  readonly identity?: string
  /** A file with the key that sealed the copy. */
  readonly sealKey?: string
  readonly listIsRight?: boolean
  readonly ignoreClock?: boolean
}

/** Gives `restore` its options and its help. */
export function describeRestore(command: Command): Command {
  return command
    .description('add what a copy has and the list lacks')
    .option('--check', 'only check the copy')
    .option('--identity <file>', 'the file that opens a copy encrypted to a recipient of age')
    .option('--seal-key <file>', 'the key that sealed the copy, otherwise BACKUP_SEAL_KEY')
    .option(
      '--list-is-right',
      'trust the copy in spite of its seal; without a copy: let announcements leave',
    )
    .option('--ignore-clock', "take a copy that is dated after this machine's clock")
    .addHelpText(
      'after',
      `
A copy is sealed with seal.key of the data folder, which no copy holds. If the seal is wrong or cannot
be checked, the list comes back without its opening, session.key and invitation.key. Then no
announcement leaves until you have looked at the list and say --list-is-right.
docs/backups.md has all of it.`,
    )
}

/** `restore`, of a copy that may be encrypted. @param named without one, only a hold is ended. */
export async function restore(named: string | undefined, options: RestoreArguments): Promise<void> {
  if (named === undefined) {
    if (!options.listIsRight || options.check) throw new Misuse('Name the file of the copy.')
    return runWithStore({}, (store, out) => endHold(store.hold, out))
  }
  const settings = orOperatorError(readBackupSettings(process.env, productFolder))
  const { dataDir } = storeSettings()
  const locked = isLocked(named)
  if (locked) needDataFolder(dataDir)
  const openers = locked
    ? await openersFor(needsPassphrase(named), options.identity, settings.passphrase)
    : undefined
  const { error: say } = console
  const report = reportTo({ say })
  await withOpenCopy(named, openers, dataDir, report, (copy) =>
    restoreOpen(named, copy, options, settings),
  )
}

async function restoreOpen(
  named: string,
  { file, isAuthentic, decrypted }: OpenCopy,
  options: RestoreArguments,
  settings: BackupSettings,
): Promise<void> {
  // Not at the top, since this file describes the command for all others too.
  const { keysInCopy, refuseWrongCopy } = await import('../../store/open-store.ts')
  const { check, json, listIsRight, ignoreClock } = options
  const { dataDir } = storeSettings()
  const sealKey = sealKeyForRestore(settings.sealKey, dataDir, options.sealKey)
  const clock = check || ignoreClock ? 'any' : 'ours'
  const reading = { sealKey, clock } as const
  let putBack: string[] = []
  let kept: string[] = []
  const beforeKeys = async ({ dataDir, linkKey, invitationKey }: StoreSettings) => {
    const asked = keysInCopy(file)
    // A check changes nothing, and makes no key, which would block a restore.
    if (check) return linkKeyForLook(dataDir, asked)
    // A refused copy leaves no key either: because of it, the right copy would be refused as well.
    const copyKey = linkKey ?? linkKeyOfCopy(dataDir, asked)
    const { keys, seal } = await refuseWrongCopy(file, product.appId, copyKey, reading)
    const isBelieved = listIsRight || isAuthentic || seal === 'whole'
    // link.key belongs to the list: without it, those who left are not recognised.
    putBack = putKeysBack(dataDir, keys, [
      ...(linkKey ? ['link.key'] : []),
      ...(invitationKey ? ['invitation.key'] : []),
      ...(isBelieved ? [] : ['session.key', 'invitation.key']),
    ])
    if (seal === 'whole' && sealKey) kept = putSealKey(dataDir, sealKey)
    return undefined
  }
  await runWithStore({ beforeKeys }, async (store, out, { copies, backups, linkKey }) => {
    if (putBack.length > 0)
      out.say(`The copy’s ${inARow(putBack)} ${putBack.length === 1 ? 'is' : 'are'} in use again.`)
    if (kept.length > 0) out.say(`${inARow(kept)} was put into ${dataDir}, to seal later back-ups.`)
    const isBelieved = listIsRight || isAuthentic
    const onProgress = (done: number, all: number) =>
      out.progress(`${grouped(done)} of ${counted(all, 'row')}`)
    const given = { ...reading, onProgress, file, named, json, listIsRight, isBelieved }
    if (check) return checkCopy(copies, given, out)
    const to = settings.to
    const isFolder = to && statSync(to, { throwIfNoEntry: false })?.isDirectory()
    if (!isFolder) return addAll(store.hold, copies, given, out)
    const newestKnown = () => newestOfOwn(backups, to, decrypted, linkKey, out)
    return addAll(store.hold, copies, { ...given, newestKnown }, out)
  })
}

/** Notes the copies of this list in a folder again. @returns when the newest one was made. */
async function newestOfOwn(
  backups: Backups,
  to: string,
  decrypted: OpenCopy['decrypted'],
  linkKey: Buffer,
  out: Out,
) {
  const { contentOfOwnCopy } = await import('../../store/open-store.ts')
  const folder = realpathSync(to)
  const found = await knowOwnCopies(backups, {
    folder,
    names: copyNames(product.appId),
    decrypted,
    keep: process.env.BACKUP_KEEP?.trim() || '7,4,12',
    contentOf: (one) => contentOfOwnCopy(one, product.appId, linkKey),
  })
  if (found > 0)
    out.say(
      `${counted(found, 'copy', 'copies')} in ${to} ${found === 1 ? 'is' : 'are'} of this list: backup --keep counts ${found === 1 ? 'it' : 'them'} again, and removes the old ones.`,
    )
  const isOfThese = (one: KeptCopy) => one.folder === folder && Number(one.at) <= Date.now()
  return (await backups.keptCopies()).findLast(isOfThese)?.at
}

interface RestoreOptions extends RestoreReading {
  /** The file that is read: a decrypted one, if the operator named an encrypted one. */
  readonly file: string
  readonly named: string
  readonly json?: boolean | undefined
  /** The operator says that the copy, and the list with it, is right. */
  readonly listIsRight?: boolean | undefined
  /** The newest copy of this list that is known, if any is. */
  readonly newestKnown?: (() => Promise<Date | undefined>) | undefined
}

/** Adds what a copy has and the store lacks. */
async function addAll(
  store: ListHolds,
  copies: Copies,
  { file, named, json, listIsRight, newestKnown, ...reading }: RestoreOptions,
  out: Out,
) {
  const restored = await copies.restore(file, reading)
  if (listIsRight) await store.end()
  // Of this copy, or of one that was restored before.
  const hold = await store.get()
  const { added, known, forgotten, refused, announcements, stillToTell, seal, madeAt } = restored
  if (json) await out.json({ ...restored, held: hold?.why })
  else
    out.say(
      `${grouped(added)} brought back, ${grouped(known)} on the list already, ${grouped(forgotten)} ${forgotten === 1 ? 'stays' : 'stay'} forgotten; ${counted(announcements, 'announcement')} brought back.`,
    )
  const isBelieved = seal === 'whole' || reading.isBelieved
  if (madeAt)
    out.say(`The copy ${isBelieved ? 'was' : 'says that it was'} made ${localTime(madeAt)}.`)
  const newest = await newestKnown?.()
  if (newest && (!madeAt || newest > madeAt))
    out.say(
      out.style.red(
        `THERE IS A NEWER COPY, of ${localTime(newest)}. If the list was empty before, restore that copy as well: otherwise people who left between the two copies get letters again.`,
      ),
    )
  if (restored.opening)
    out.say(`The opening came back from the copy: the button leads to ${restored.opening}`)
  if (stillToTell > 0)
    out.say(
      `${counted(stillToTell, 'person was', 'people were')} still to be told when the copy was made, and may have been told since: ${stillToTell === 1 ? 'their letter is' : 'their letters are'} uncertain now.`,
    )
  if (refused > 0) out.say(`${counted(refused, 'row')} of the copy cannot be read, and stay out.`)
  if (isBelieved) {
    if (seal === 'whole' || seal === 'wrong') out.say(sealInWords[seal])
    if (hold) out.say(out.style.red(holdInWords(hold, true)))
  } else out.say(out.style.red(`${sealInWords[seal]} ${leftOutInWords(named)}`))
  return hold || refused > 0 ? exitCodes.partly : exitCodes.done
}

/** `restore --check`: says what is in a copy; changes nothing. */
async function checkCopy(copies: Copies, { file, json, ...reading }: RestoreOptions, out: Out) {
  const { subscribers, announcements, made, content, keys, seal } = await copies.check(
    file,
    reading,
  )
  const changed = made && difference(content, made.content)
  const found = { madeAt: made?.at ?? null, changed: changed ?? null, keys: Object.keys(keys) }
  const all = { subscribers, announcements, ...found, seal }
  if (json) await out.json(all)
  else {
    sayWhatIsInIt({ subscribers, announcements, ...found }, out)
    out.say(seal === 'whole' ? sealInWords.whole : out.style.red(sealInWords[seal]))
  }
  if (changed !== undefined || seal === 'wrong') return exitCodes.failed
  return seal === 'whole' || reading.isBelieved ? exitCodes.done : exitCodes.partly
}

/** `restore --list-is-right`: announcements may leave again. */
async function endHold(store: ListHolds, out: Out) {
  const wasHeld = await store.end()
  out.say(wasHeld ? 'Announcements may leave again.' : 'No announcement was held back.')
  return exitCodes.done
}

interface Found extends Copy {
  readonly madeAt: Date | null
  readonly changed: string | null
  readonly keys: readonly string[]
}

function sayWhatIsInIt({ subscribers, announcements, madeAt, changed, keys }: Found, out: Out) {
  const made = madeAt ? `, made ${localTime(madeAt)},` : ''
  out.say(
    `The copy${made} is readable: ${counted(subscribers, 'person', 'people')}, ${counted(announcements, 'announcement')}.`,
  )
  if (keys.length > 0) out.say(`It has ${inARow(keys)}.`)
  if (changed !== null)
    out.say(out.style.red(`It does not hold what it held when it was made: ${changed}.`))
}
