import { noteCame } from '../../audience/note-came.ts'
import { whoCame } from '../../audience/who-came.ts'
import { addressIds } from '../../keys/address-id.ts'
import { batches } from '../../shared/batches.ts'
import {
  type CameCount,
  type CameGroup,
  cameShare,
  uncertainInWords,
  type WhoCame,
} from '../../shared/came-counts.ts'
import type { Store } from '../../store/store.ts'
import { importLines, type Reading } from '../../tables/import-lines.ts'
import type { TableFile } from '../../tables/table-rows.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { columns, counted, grouped, halfWithin, percent } from '../../terminal/words.ts'
import { columnsInWords, refusedInWords, rowProblemInWords } from './table-words.ts'

export interface CameOptions {
  /** The accounts; left out to look at the figures alone. */
  readonly accounts?: TableFile & Reading
  /** Says what would be kept, and keeps nothing. */
  readonly dryRun?: boolean
  readonly linkKey: Buffer
  readonly json?: boolean
}

type CameStore = Pick<Store, 'list' | 'ledger' | 'visits'>

const BATCH = 200
/** How many rows of a table are shown. */
const SHOWN = 12

/** `came`: keeps who on the list has an account by now, and shows who of those told became a user. */
export async function came(store: CameStore, options: CameOptions, out: Out): Promise<number> {
  const { accounts, json } = options
  const counts = accounts && (await takeAccounts(store, accounts, options, out))
  const figures = await whoCame(store)
  if (json) await out.json({ ...(counts && { accounts: counts }), ...figures })
  else await out.write(inWords(figures, out))
  return counts && counts.refused > 0 ? exitCodes.partly : exitCodes.done
}

async function takeAccounts(
  store: CameStore,
  accounts: TableFile & Reading,
  { dryRun = false, json = false, linkKey }: CameOptions,
  out: Out,
) {
  const { of } = addressIds(linkKey)
  const counts = { onList: 0, others: 0, refused: 0 }
  // What stands in a product's table beside an address says nothing about our list.
  const reading = { ...accounts, statusColumn: 'none', areAccounts: true }
  const lines = importLines(
    accounts,
    reading,
    (read) => read && out.say(`${columnsInWords(read, true)}.`),
  )
  for await (const some of batches(lines, BATCH)) {
    const people = some.flatMap((line) =>
      'subscriber' in line
        ? [{ email: line.subscriber.email, at: line.subscriber.subscribedAt }]
        : [],
    )
    for (const line of some)
      if ('problem' in line) {
        counts.refused += 1
        await out.write(refusedInWords(line.place, rowProblemInWords(line.problem), json))
      }
    const listed = dryRun
      ? await Promise.all(people.map(async ({ email }) => Boolean(await store.list.find(email))))
      : await noteCame(store, of, people)
    for (const isListed of listed) counts[isListed ? 'onList' : 'others'] += 1
  }
  if (!json) {
    const { onList, others, refused } = counts
    const all = counted(onList + others + refused, 'account')
    out.say(
      `${all}: ${grouped(onList)} on the list, ${grouped(others)} not on it, ${grouped(refused)} refused. Only those on the list are noted.${dryRun ? ' Nothing was changed.' : ''}`,
    )
  }
  return counts
}

function inWords(figures: WhoCame, { style }: Out): string {
  const { told, uncertain, came, others, letters, sources, weeks } = figures
  const { answers, friends } = figures
  if (told + others === 0)
    return 'Nobody was told yet, and nobody on the list is known to be a user.\n'
  const half = halfOf(figures)
  const rows = [
    ['Told', style.bold(grouped(told)), uncertain > 0 ? uncertainInWords(uncertain) : ''],
    ['Came', style.bold(grouped(came)), [share({ told, came }), half].filter(Boolean).join(', ')],
    ...(others > 0
      ? [['Others', grouped(others), 'users who got no letter, or were users before it']]
      : []),
  ]
  const tables = [
    table('First letter', letters),
    table('Source', sources, 'direct or imported'),
    ...(answers.length > 0 ? [table('Answer', answers, 'no answer')] : []),
    ...(friends.length > 0 ? [table('Brought by', friends, 'nobody')] : []),
    table('Signed up in the week of', weeks.toReversed()),
  ]
  return `${[columns(rows, [1]), ...tables].join('\n\n')}\n`
}

function halfOf({ came, medianMs }: Pick<WhoCame, 'came' | 'medianMs'>): string {
  return medianMs === null ? '' : halfWithin(came, medianMs / 1000)
}

/** `120 of 4,000 told (3 %), half of them within 2 h` */
export function cameInWords(figures: Pick<WhoCame, 'told' | 'came' | 'medianMs'>): string {
  const shared = share(figures)
  const of = `${grouped(figures.came)} of ${grouped(figures.told)} told`
  return [shared ? `${of} (${shared})` : of, halfOf(figures)].filter(Boolean).join(', ')
}

function table(head: string, groups: readonly CameGroup[], unnamed = ''): string {
  const left = groups.length - SHOWN
  const rows = [
    [head, 'told', 'came', ''],
    ...groups
      .slice(0, SHOWN)
      .map(({ name, ...count }) => [
        name ?? unnamed,
        grouped(count.told),
        grouped(count.came),
        share(count),
      ]),
    ...(left > 0 ? [[`${left} more: --json shows them`]] : []),
  ]
  return columns(rows, [1, 2, 3])
}

function share(count: CameCount): string {
  const shared = cameShare(count)
  return shared === null ? '' : percent(shared)
}
