import { batches } from '../../shared/batches.ts'
import { mayBeWrittenTo, type Standing } from '../../store/standing.ts'
import type { Store } from '../../store/store.ts'
import {
  isSelected,
  type ListedSubscriber,
  noneOfEach,
  type TimeRange,
} from '../../store/subscriber-list.ts'
import { type ExportedSubscriber, type Format, writing } from '../tables/formats.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Out } from '../terminal/out.ts'
import { leftOut } from '../terminal/standing-words.ts'
import { counted } from '../terminal/words.ts'
import { type TimeOptions, timeRange } from './time-range.ts'

export interface ExportOptions extends TimeOptions {
  readonly format: Format
  /** Includes those who may not be mailed. */
  readonly all?: boolean
  /** Instead of the two options of time. */
  readonly range?: TimeRange
  /** Only those who stand so. */
  readonly standing?: Standing
  /** Only those for whom it says so. */
  readonly isMeant?: (one: ListedSubscriber) => Promise<boolean>
}

/**
 * Characters that are buffered before a write. A larger buffer survives a garbage collection and is
 * moved to V8's old space, where it stays for long.
 */
const CHUNK = 8 * 1024

/** So many sources are looked up together. */
const BATCH = 100

/** The part of a store that an export uses. */
export type ExportStore = Pick<Store, 'stream' | 'sourcesOf'>

/** `export`: subscribers who may be mailed, or all, in order of sign-up, as csv, ndjson or json. */
export async function exportList(store: ExportStore, options: ExportOptions, out: Out) {
  const { format, all = false, standing = 'all', isMeant } = options
  const range = options.range ?? timeRange(options)
  const { begin, one, between, end } = writing(format, all)
  const left = noneOfEach()
  let count = 0
  let chunk = begin
  const everybody = store.stream({ ...range, standing: 'all' })
  for await (const subscriber of all ? withSources(store, everybody) : everybody) {
    if (!isSelected(subscriber.standing, { standing })) continue
    if (isMeant && !(await isMeant(subscriber))) continue
    if (!all && !mayBeWrittenTo(subscriber.standing)) {
      left[subscriber.standing] += 1
      continue
    }
    chunk += (count === 0 ? '' : between) + one(subscriber)
    count += 1
    if (chunk.length < CHUNK) continue
    await out.write(chunk)
    chunk = ''
    out.progress(`${counted(count, 'subscriber')} written`)
  }
  await out.write(chunk + (count > 0 || format === 'json' ? end : ''))
  out.say(`${counted(count, 'subscriber')} exported.${leftOut(left)}`)
  return exitCodes.done
}

async function* withSources(
  store: ExportStore,
  everybody: ReturnType<ExportStore['stream']>,
): AsyncIterable<ExportedSubscriber> {
  for await (const some of batches(everybody, BATCH)) {
    const sources = await store.sourcesOf(some.map(({ email }) => email))
    for (const [i, subscriber] of some.entries()) yield { ...subscriber, ...sources[i] }
  }
}
