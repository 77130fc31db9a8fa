import { batches } from '../../shared/batches.ts'
import type { Store } from '../../store/store.ts'
import type { ImportedStanding, ImportOutcome } from '../../store/subscriber-list.ts'
import { type ImportLine, importLines, type Reading } from '../../tables/import-lines.ts'
import type { ColumnsRead } from '../../tables/row-columns.ts'
import type { TableFile } from '../../tables/table-rows.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { stopSignal } from '../../terminal/stop-signal.ts'
import { counted, grouped, quoted } from '../../terminal/words.ts'
import { runWithStore } from '../run.ts'
import { ofFile, opened, standingOfFile, type TableArguments } from './table-file.ts'
import { columnsInWords, refusedInWords, rowProblemInWords } from './table-words.ts'

export interface ImportOptions extends TableFile, Reading {
  /** Reports what an import would do, and changes nothing. */
  readonly dryRun?: boolean
  /** Stops it after the people who are being added. */
  readonly signal?: AbortSignal
  readonly json?: boolean
}

/** The part of a store that an import uses. */
export type ImportStore = Pick<Store, 'list' | 'standings'>

type Person = Extract<ImportLine, { subscriber: unknown }>

const BATCH = 200

/**
 * `import`: adds subscribers from a file; what the store has stays unchanged. Those who
 * unsubscribed, bounced or complained at the other service get that standing here too.
 */
export async function importList(store: ImportStore, options: ImportOptions, out: Out) {
  const { dryRun = false, json = false, signal } = options
  const left = { unsubscribed: 0, bounced: 0, complained: 0, quarantined: 0 }
  const counts = { added: 0, known: 0, ...left, refused: 0 }
  const take = dryRun ? lookOnly(store) : takeIn(store)

  const refuse = async (place: string, reason: string) => {
    counts.refused += 1
    await out.write(refusedInWords(place, reason, json))
  }

  let read = 0
  const unread = new Map<string, Unread>()
  const note = (what: string, text: string) => {
    const { rows, first } = unread.get(what) ?? noneUnread
    unread.set(what, { rows: rows + 1, first: first || text })
  }
  let [hasBegun, isWhole] = [false, false]
  const columns = (read: ColumnsRead | undefined) => {
    hasBegun = true
    out.say(read ? `${columnsInWords(read)}.` : notInAnExport)
  }
  try {
    for await (const lines of batches(importLines(options, options, columns), BATCH)) {
      const people: Person[] = []
      for (const line of lines)
        if ('problem' in line) await refuse(line.place, rowProblemInWords(line.problem))
        else {
          people.push(line)
          const { time: _, ...leftOut } = line.unread
          for (const [what, text] of Object.entries(leftOut)) note(what, text)
        }
      for (const [i, outcome] of (await take(people)).entries())
        if (outcome === 'forgotten')
          await refuse(people[i]?.place ?? '', 'was forgotten on request')
        else {
          counts[outcome] += 1
          const time = people[i]?.unread.time
          if (outcome !== 'known' && time !== undefined) note('time', time)
        }
      read += lines.length
      out.progress(`${counted(read, 'line')} read`)
      if (signal?.aborted) return exitCodes.stopped
    }
    isWhole = true
  } finally {
    for (const line of leftOutInWords(unread)) out.say(line)
    const untimed = unread.get('time') ?? noneUnread
    const stopped = isWhole ? [] : ['Stopped: the same file may be imported again.']
    if (json && (isWhole || hasBegun))
      await out.json({ ...counts, untimed: untimed.rows, ...(!isWhole && { stopped: true }) })
    else if (isWhole || hasBegun)
      out.say([inWords(counts, dryRun), ...untimedInWords(untimed), ...stopped].join(' '))
  }
  return counts.refused > 0 ? exitCodes.partly : exitCodes.done
}

function* leftOutInWords(unread: ReadonlyMap<string, Unread>): Iterable<string> {
  for (const [noun, { rows, first }] of unread) {
    if (noun === 'time') continue
    const why = whyLeftOut[noun] ?? 'that cannot be read'
    const named = `${counted(rows, 'row')} ${rows === 1 ? 'names' : 'name'} a ${noun} ${why}`
    yield `${named}: the first is ${quoted(first)}. The ${noun} is left out.`
  }
}

/** Of the export of another list of ours. */
const notInAnExport =
  'This file has people, and not what they were told: an announcement that the other list began must not be sent again from here. Events that wait there stay there.'

/** Rows in which something cannot be read, and the first of it. */
interface Unread {
  readonly rows: number
  readonly first: string
}

const noneUnread: Unread = { rows: 0, first: '' }

const whyLeftOut: Readonly<Record<string, string>> = {
  language: 'that is no code such as fr or pt-BR',
  'first name': 'that is none',
}

function untimedInWords({ rows, first }: Unread): string[] {
  const unread = first && ` or cannot be read, such as ${quoted(first)}`
  return rows === 0
    ? []
    : [`${grouped(rows)} of them with the time of this import: theirs is missing${unread}.`]
}

type Outcome = ImportOutcome | ImportedStanding

/** Adds each subscriber with their standing from the file. */
function takeIn(store: ImportStore) {
  return async (people: readonly Person[]): Promise<Outcome[]> => {
    const outcomes = await store.list.importAll(people.map(({ subscriber }) => subscriber))
    return Promise.all(
      people.map(async ({ subscriber: { email, standing } }, i) => {
        const outcome = outcomes[i] ?? 'known'
        if (standing === undefined || outcome === 'forgotten') return outcome
        // A file quarantines nobody who is on the list already.
        if (standing === 'quarantined') return outcome === 'known' ? 'known' : standing
        // A sign-up here that is later than the unsubscribe there prevails.
        const isBack = outcome === 'known' && (await store.standings.of(email)) === undefined
        return isBack ? 'known' : standing
      }),
    )
  }
}

/** The result that `takeIn` would have, without any change. */
function lookOnly(store: ImportStore) {
  const added = new Set<string>()
  return (people: readonly Person[]): Promise<Outcome[]> =>
    Promise.all(
      people.map(async ({ subscriber: { email, standing } }) => {
        const [known, entry] = await Promise.all([
          store.list.find(email),
          store.standings.of(email),
        ])
        if (entry?.standing === 'forgotten') return 'forgotten'
        if (standing && standing !== 'quarantined') return standing
        if (known || added.has(email)) return 'known'
        added.add(email)
        return standing ?? 'added'
      }),
    )
}

function inWords(counts: Readonly<Record<string, number>>, dryRun: boolean): string {
  const { added = 0, known = 0, refused = 0 } = counts
  const left = (['unsubscribed', 'bounced', 'complained', 'quarantined'] as const)
    .filter((standing) => counts[standing])
    .map((standing) => `${grouped(counts[standing] ?? 0)} ${standing}`)
  const parts = [
    `${grouped(added)} ${dryRun ? 'would be ' : ''}added`,
    `${grouped(known)} known`,
    ...(left.length > 0 ? [`${left.join(', ')} (no letters to them)`] : []),
    `${grouped(refused)} refused`,
  ]
  return `${parts.join(', ')}.${dryRun ? ' Nothing was changed.' : ''}`
}

export async function fromCommandLine(
  options: TableArguments & Reading & { readonly json?: boolean },
  file: string,
): Promise<void> {
  const signal = stopSignal(process, console.error)
  const everybody = standingOfFile(file)
  await runWithStore(ofFile(file, options), (store, out) => {
    const given = { ...opened(file, options.format), signal, ...(everybody && { everybody }) }
    return importList(store, { ...options, ...given }, out)
  })
}
