import { fieldColumns } from '../people/known-fields.ts'
import { mayBeWrittenTo, type Standing } from '../people/standing.ts'
import type { Store } from '../store/store.ts'
import {
  isSelected,
  type ListedSubscriber,
  noneOfEach,
  type TimeRange,
} from '../store/subscriber-list.ts'
import type { ExportFormat } from './format-names.ts'
import { writing } from './formats.ts'

export interface Export {
  readonly format: ExportFormat
  /** Includes those who may not be mailed. */
  readonly all?: boolean
  readonly range?: TimeRange
  /** Only those of this standing. */
  readonly standing?: Standing
  /** Only those for whom it returns true. */
  readonly isMeant?: (one: ListedSubscriber) => boolean
}

/**
 * Characters that are buffered before a write. A larger buffer survives a garbage collection and is
 * moved to V8's old space, where it stays for long.
 */
const CHUNK = 8 * 1024

/** The part of a store that an export uses. */
export type ExportStore = Pick<Store, 'list'>

/** Waits until the text is taken; `count` subscribers were written so far. */
export type WriteText = (text: string, count: number) => Promise<void>

/**
 * Writes subscribers who may be mailed, or all, as they came on the list, as csv, ndjson or json.
 *
 * @returns how many were written, and how many of each standing were left out.
 */
export async function exportList(store: ExportStore, wanted: Export, write: WriteText) {
  const { format, all = false, range = {}, standing = 'all', isMeant } = wanted
  const { begin, one, between, end } = writing(format, all)
  const left = noneOfEach()
  let count = 0
  let chunk = begin
  for await (const subscriber of store.list.stream({ ...range, standing: 'all' })) {
    if (!isSelected(subscriber.standing, { standing })) continue
    if (isMeant && !isMeant(subscriber)) continue
    if (!all && !mayBeWrittenTo(subscriber.standing)) {
      left[subscriber.standing] += 1
      continue
    }
    chunk +=
      (count === 0 ? '' : between) + one(all ? withAll(subscriber) : withoutSource(subscriber))
    count += 1
    if (chunk.length < CHUNK) continue
    await write(chunk, count)
    chunk = ''
  }
  await write(chunk + (count > 0 || format === 'json' ? end : ''), count)
  return { count, left }
}

function withAll({ source, ...subscriber }: ListedSubscriber): ListedSubscriber {
  const known = fieldColumns.map(({ name, read }) => [name, read(subscriber.extra)])
  return { ...Object.fromEntries(known), ...subscriber, ...source }
}

const withoutSource = ({ source: _, ...subscriber }: ListedSubscriber): ListedSubscriber =>
  subscriber
