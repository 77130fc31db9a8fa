import type { Readable } from 'node:stream'
import { batches } from '../shared/batches.ts'
import { isCheckAddress } from '../shared/check-address.ts'
import { parseEmail } from '../shared/email.ts'
import type { Subscriber } from '../shared/subscriber.ts'
import type { SubscriberList } from '../store/subscriber-list.ts'
import type { Format } from './formats.ts'
import { type ImportLine, importLines } from './import-lines.ts'
import { exitCodes, type Out } from './out.ts'
import { counted, grouped } from './words.ts'

export interface ImportOptions {
  readonly file: Readable
  readonly format: Format
  readonly json?: boolean
}

const BATCH = 200

/** `import`: brings subscribers in from a file; what was there before stays as it is. */
export async function importList(store: SubscriberList, options: ImportOptions, out: Out) {
  const counts = { added: 0, known: 0, refused: 0 }

  const refuse = async (place: string, reason: string) => {
    counts.refused += 1
    const line = options.json ? JSON.stringify({ place, refused: reason }) : `${place}: ${reason}`
    await out.write(`${line}\n`)
  }

  for await (const lines of batches(importLines(options.file, options.format), BATCH)) {
    const accepted: { place: string; subscriber: Subscriber }[] = []
    for (const line of lines) {
      const read = readLine(line, new Date())
      if (typeof read === 'string') await refuse(line.place, read)
      else accepted.push({ place: line.place, subscriber: read })
    }
    const outcomes = await store.importAll(accepted.map(({ subscriber }) => subscriber))
    for (const [i, outcome] of outcomes.entries())
      if (outcome === 'forgotten')
        await refuse(accepted[i]?.place ?? '', 'was forgotten on request')
      else counts[outcome] += 1
    out.progress(`${counted(counts.added + counts.known + counts.refused, 'line')} read`)
  }

  const { added, known, refused } = counts
  if (options.json) await out.write(`${JSON.stringify(counts)}\n`)
  else out.say(`${grouped(added)} added, ${grouped(known)} known, ${grouped(refused)} refused.`)
  return refused > 0 ? exitCodes.partly : exitCodes.done
}

/** @returns the subscriber, or why there is none. */
function readLine({ email, subscribedAt }: ImportLine, now: Date): Subscriber | string {
  const parsed = typeof email === 'string' ? parseEmail(email) : undefined
  if (parsed === undefined) return `${JSON.stringify(email ?? '')} is not an e-mail address`
  if (isCheckAddress(parsed)) return `${parsed} was left by a check of the site and is nobody's`
  const time = subscribedAt === undefined ? now : new Date(String(subscribedAt))
  if (Number.isNaN(time.getTime())) return `${JSON.stringify(subscribedAt)} is not a time`
  // It would be later than every announcement.
  if (time > now) return `${time.toISOString()} has not come yet`
  if (time.getTime() < 0) return `${time.toISOString()} is before 1970`
  return { email: parsed, subscribedAt: time }
}
