import type { SubscriberList } from '../store/subscriber-list.ts'
import { type Format, writings } from './formats.ts'
import { exitCodes, type Out } from './out.ts'
import { type TimeOptions, timeRange } from './time-range.ts'
import { counted } from './words.ts'

export interface ExportOptions extends TimeOptions {
  readonly format: Format
}

/** Characters that are written at once. What waits longer outlives a collection of garbage. */
const CHUNK = 8 * 1024

/** `export`: everybody in order of sign-up, as a file that others read. */
export async function exportList(store: SubscriberList, options: ExportOptions, out: Out) {
  const { begin, one, between, end } = writings[options.format]
  let count = 0
  let chunk = begin
  for await (const subscriber of store.stream(timeRange(options))) {
    chunk += (count === 0 ? '' : between) + one(subscriber)
    count += 1
    if (chunk.length < CHUNK) continue
    await out.write(chunk)
    chunk = ''
    out.progress(`${counted(count, 'subscriber')} written`)
  }
  await out.write(chunk + (count > 0 || options.format === 'json' ? end : ''))
  out.say(`${counted(count, 'subscriber')} exported.`)
  return exitCodes.done
}
