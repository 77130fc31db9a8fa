import type { StatsFs } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { rowsOf } from '../../announcement/balance.ts'
import { lastAnnouncement } from '../../announcement/last-announcement.ts'
import { heardNothing } from '../../audience/heard-nothing.ts'
import { inboxAlarms, inboxFigures } from '../../collect/inbox-figures.ts'
import { MailerUnusable } from '../../mail/mailer.ts'
import { isSmtpUrl } from '../../mail/smtp-url.ts'
import { listRetention } from '../../opening/list-retention.ts'
import { commands } from '../../shared/commands.ts'
import { stopWords } from '../../shared/end-words.ts'
import { type HeardNothing, silenceInWords } from '../../shared/heard-nothing.ts'
import { manyRefusedInWords } from '../../shared/many-refused.ts'
import { readSeldom } from '../../shared/read-seldom.ts'
import {
  type BackupState,
  backupFaults,
  backupState,
  isBackupOld,
} from '../../store/backup-state.ts'
import { counted, grouped } from '../../terminal/words.ts'
import { peopleToTell } from '../contract/letters.ts'
import { deskPaths } from '../contract/pages.ts'
import type { HealthLight } from '../contract/today.ts'
import { letterOf, seen } from './letters/engine.ts'
import type { DeskParts } from './parts.ts'
import { replicaLight } from './replica.ts'

export type HealthParts = Pick<
  DeskParts,
  'store' | 'place' | 'backups' | 'collecting' | 'dataDir' | 'env' | 'product'
>

const GB = 1e9
const WEEK_MS = 7 * 86_400_000
const LOOK_EVERY_MS = 15_000
/** For what takes a reading of the whole list. A letter ends the silence at once. */
const COUNT_LIST_EVERY_MS = 5 * 60_000
const ASK_MAIL_EVERY_MS = 60_000

/** Whether all that the page and its letters need is in order, as far as it can be known from here. */
export function healthOf(parts: HealthParts): () => Promise<HealthLight[]> {
  const mail = mailLight(parts.env)
  const silence = silenceLight(parts)
  const refused = readSeldom(() => refusalLights(parts), COUNT_LIST_EVERY_MS)
  const others = readSeldom(
    () =>
      Promise.all([
        ...[
          holdLight(parts),
          retentionLight(parts),
          storeLight(parts),
          diskLight(parts),
          backupLights(parts),
        ],
        ...[replicaLight(parts.place), queueLight(parts), inboxLights(parts)],
        ...[eventsLight(parts), announcementLight(parts), refused()],
      ]),
    LOOK_EVERY_MS,
  )
  // Read last, since the mail server may have answered meanwhile, and the list been counted.
  return async () =>
    [...(await others()).flat(), silence(), mail()].filter((light) => light !== undefined)
}

/** For a list that was restored from a copy whose seal is wrong, or could not be checked. */
async function holdLight({ store }: HealthParts): Promise<HealthLight | undefined> {
  const hold = await store.hold.get()
  if (!hold) return undefined
  const text = 'no letter leaves until you look at the list, and say that it is right'
  const link = { href: deskPaths.people, label: 'Look at the list' }
  const command = { does: 'If it is right', line: commands.listIsRight }
  return { name: 'A copy was restored', tone: 'bad', text, at: hold.since.getTime(), link, command }
}

/** For a list that is kept for longer than the product says. */
async function retentionLight({ store, product }: HealthParts): Promise<HealthLight | undefined> {
  const retention = await listRetention(store, product.retain, new Date())
  if (!retention || retention.people === 0) return undefined
  const people = counted(retention.people, 'person is', 'people are')
  const text = `${people} still on it, and should have been erased`
  const command = { does: 'To erase them', line: commands.forgetEverybody }
  const at = retention.until.getTime()
  return { name: 'The list is to be erased', tone: 'bad', text, at, command }
}

/** The store answers, since the rest of the page was just read from it. */
async function storeLight({ place }: HealthParts): Promise<HealthLight> {
  const name = 'Database'
  const files = [place, `${place}-wal`]
  const sizes = await Promise.all(files.map((file) => stat(file).catch(() => ({ size: 0 }))))
  const bytes = sizes.reduce((sum, { size }) => sum + size, 0)
  return { name, tone: 'good', text: `SQLite, ${size(bytes)}` }
}

async function diskLight({ dataDir }: HealthParts): Promise<HealthLight | undefined> {
  return diskLightOf(await statfs(dataDir).catch(() => undefined))
}

/** @param disk in blocks of `bsize` bytes; nothing where it cannot be read. */
export function diskLightOf(
  disk: Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'> | undefined,
): HealthLight | undefined {
  if (!disk || disk.blocks === 0) return undefined
  const free = disk.bavail * disk.bsize
  const share = disk.bavail / disk.blocks
  const tone = free < GB / 4 ? 'bad' : free < GB || share < 0.05 ? 'warn' : 'good'
  return { name: 'Disk', tone, text: `${size(free)} free` }
}

/** Of the last back-up and the last rehearsal, by one look at the store. */
async function backupLights({ backups, store }: HealthParts) {
  if (!backups) return []
  const now = new Date()
  const state = await backupState(backups, now)
  return [await backupLight(state, now, store), rehearsalLight(state, now)]
}

const LAST_BACKUP = 'Last back-up'
async function backupLight(
  state: BackupState,
  now: Date,
  store: HealthParts['store'],
): Promise<HealthLight> {
  const name = LAST_BACKUP
  const { last, newestKept } = state
  const isOld = isBackupOld(state, now)
  // One by hand may be newer.
  if (isOld && newestKept)
    return {
      name,
      tone: 'bad',
      text: 'none is made any more; the last one by the rule was made',
      at: newestKept.getTime(),
    }
  if (last) return { name, tone: isOld ? 'bad' : 'good', text: '', at: last.getTime() }
  const isAnybodyHere = (await store.growth.newest(1)).length > 0
  return { name, tone: isAnybodyHere ? 'warn' : 'calm', text: 'never' }
}

/** Whether a copy was restored as a test; only where copies are kept by a rule. */
function rehearsalLight(state: BackupState, now: Date): HealthLight | undefined {
  if (!state.newestKept) return undefined
  const name = 'Last test of a back-up'
  const { rehearsal, goodRehearsal } = state
  if (rehearsal?.fault !== undefined)
    return { name, tone: 'bad', text: 'it could not be restored', at: rehearsal.at.getTime() }
  const tone = backupFaults(state, now).includes('rehearsal-overdue') ? 'warn' : 'good'
  if (!goodRehearsal) return { name, tone, text: 'none was tested yet' }
  const text = 'it came back whole'
  return { name, tone, text, at: goodRehearsal.at.getTime() }
}

/** What of taking in from Firestore has to be looked at. */
async function inboxLights({ collecting, backups }: HealthParts): Promise<HealthLight[]> {
  const figures = await inboxFigures(collecting, backups, new Date())
  if (!figures) return []
  return inboxAlarms(figures).map((text) => ({ name: 'Firestore', tone: 'bad', text }))
}

/** Asks the mail server once in a while, without waiting for it: it may be slow. */
function mailLight(env: HealthParts['env']): () => HealthLight {
  const name = 'Mail server'
  const url = env.SMTP_URL?.trim() ?? ''
  if (!url || !isSmtpUrl(url)) return () => ({ name, tone: 'calm', text: 'not set up' })
  let light: HealthLight = { name, tone: 'calm', text: 'being asked' }
  let askedAt = Number.NEGATIVE_INFINITY

  async function ask() {
    const { smtpMailer } = await import('../../mail/smtp-mailer.ts')
    const mailer = smtpMailer({ url })
    try {
      const { roundTripMs } = await mailer.check()
      light = { name, tone: 'good', text: `answers in ${Math.round(roundTripMs)} ms` }
    } catch (error) {
      if (!(error instanceof MailerUnusable)) throw error
      light = { name, tone: 'bad', text: error.message }
    } finally {
      mailer.close()
    }
  }

  return () => {
    if (performance.now() - askedAt >= ASK_MAIL_EVERY_MS) {
      askedAt = performance.now()
      ask().catch(() => {
        light = { name, tone: 'bad', text: 'could not be asked' }
      })
    }
    return light
  }
}

async function queueLight({ store, env }: HealthParts): Promise<HealthLight | undefined> {
  const isAsking = env.CONFIRM?.trim() === 'on'
  const { waiting } = await store.outbox.counts()
  if (waiting === 0 && !isAsking) return undefined
  const tone = waiting < 1000 ? 'good' : 'warn'
  const text =
    waiting === 0 ? 'nothing waits' : `${counted(waiting, 'confirmation letter')} to be sent`
  return { name: 'Outbox', tone, text }
}

/** Whether other systems are told of people. */
async function eventsLight({ store }: HealthParts): Promise<HealthLight | undefined> {
  const feed = await store.events.feed()
  if (!feed) return undefined
  const name = 'Events'
  const { people, held, forgotten } = await store.events.counts()
  if (!feed.isOn && people === 0) return undefined
  const { awaySince, failing, failure } = feed
  const fails = awaySince === undefined ? 'the last ones were not taken' : 'the receiver went away'
  const waits = [
    people === 0 ? 'nothing waits' : `events of ${counted(people, 'person', 'people')} wait`,
    ...(held > 0 ? [`those of ${counted(held, 'person', 'people')} are held`] : []),
    ...(forgotten > 0 ? [`${counted(forgotten, 'erasure')} not acknowledged`] : []),
    ...(feed.isOn ? [] : ['events are off']),
    ...(failing ? [`${fails} (${failure})`] : []),
  ].join(', ')
  const tone = held > 0 ? 'bad' : failing || !feed.isOn ? 'warn' : 'good'
  const command = { does: 'To send those that are held', line: commands.sendHeldEvents }
  return {
    name,
    tone,
    text: waits,
    ...(failing && { at: failing.since }),
    ...(held > 0 && { command }),
  }
}

/** Whether people have heard nothing for long. Nobody waits for the count, which reads the whole list. */
function silenceLight({ store }: HealthParts): () => HealthLight | undefined {
  const name = 'Silence'
  let light: HealthLight | undefined
  const count = readSeldom(async () => {
    light = lightOf(await heardNothing(store, new Date()))
  }, COUNT_LIST_EVERY_MS)

  function lightOf({ people, since }: HeardNothing): HealthLight | undefined {
    if (since === null) return undefined
    const text = `${silenceInWords(people)}, counted every five minutes. The longest silence began`
    const does = 'To ask whether they still want to be told'
    const command = { does, line: commands.askTheSilent }
    return { name, tone: 'warn', text, at: Date.parse(since), command }
  }

  return () => {
    count().catch(() => {
      light = { name, tone: 'warn', text: 'could not be counted' }
    })
    return light
  }
}

/**
 * The last announcement. It is under way while somebody holds the lock: a killed run does so for a
 * minute.
 */
async function announcementLight({ store }: HealthParts): Promise<HealthLight> {
  const name = 'Announcement'
  const last = await lastAnnouncement(store.ledger)
  if (!last) return { name, tone: 'calm', text: 'none yet' }
  const { id, tally } = last
  const open = tally.queued + tally.sending
  // Until its turn, nobody knows whether somebody in the queue has left.
  const of = open === 0 ? ` of ${grouped(peopleToTell(rowsOf(tally), tally))}` : ''
  const failed = tally.failed > 0 ? `, ${grouped(tally.failed)} failed` : ''
  const done = `${id}: ${grouped(tally.sent)}${of} sent${failed}`
  if (open === 0) return { name, tone: tally.failed > 0 ? 'warn' : 'good', text: done }
  const holder = await store.lock.holder()
  const what = holder && seen(holder)
  const isOther = what?.is === 'tool' && letterOf(what, [id]) === undefined
  if (what && !isOther) return { name, tone: 'good', text: `${done}, running` }
  const stopped = last.pace?.stopped
  const why = stopped ? `, stopped: ${stopWords[stopped]}` : ''
  return { name, tone: 'warn', text: `${done}, ${grouped(open)} still in the queue${why}` }
}

/** For each day of the last week on which a provider refused letters to many. */
async function refusalLights({ store }: HealthParts): Promise<HealthLight[]> {
  const many = await store.refusals.many(new Date(Date.now() - WEEK_MS))
  return many.map((one) => ({ name: 'Refused', tone: 'bad', text: manyRefusedInWords(one) }))
}

/** `312 MB` */
function size(bytes: number): string {
  if (bytes < 999_500) return `${Math.max(1, Math.round(bytes / 1e3))} kB`
  if (bytes < 999_500_000) return `${Math.round(bytes / 1e6)} MB`
  return `${(bytes / GB).toFixed(bytes < 10 * GB ? 1 : 0)} GB`
}
