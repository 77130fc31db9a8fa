import { noteCame } from '../../audience/note-came.ts'
import { addressIds } from '../../keys/address-id.ts'
import { cameReport } from '../../report/makers/came.ts'
import { type Telling, tell } from '../../report/tell.ts'
import { batches } from '../../shared/batches.ts'
import type { Note } from '../../shared/report.ts'
import type { Store } from '../../store/store.ts'
import { importLines, type Reading } from '../../tables/import-lines.ts'
import type { TableFile } from '../../tables/table-rows.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { counted, grouped } from '../../terminal/words.ts'
import { runWithStore } from '../run.ts'
import { ofFile, opened, type TableArguments } from './table-file.ts'
import { columnsInWords, refusedInWords, rowProblemInWords } from './table-words.ts'

export interface CameOptions extends Telling {
  /** The accounts; left out to look at the figures alone. */
  readonly accounts?: TableFile & Reading
  /** Says what would be kept, and keeps nothing. */
  readonly dryRun?: boolean
  readonly linkKey: Buffer
}

type CameStore = Pick<Store, 'list' | 'ledger' | 'visits'>

const BATCH = 200

/** `came`: keeps who on the list has an account by now, and shows who of those told became a user. */
export async function came(store: CameStore, options: CameOptions, out: Out): Promise<number> {
  const { accounts, dryRun = false } = options
  const counts = accounts && (await takeAccounts(store, accounts, options, out))
  const { title, parts } = await cameReport(store)
  const taken = counts ? [takenNote(counts, dryRun)] : []
  await tell({ title, parts: [{ part: 'notes', notes: taken }, ...parts] }, options, out)
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
  return counts
}

type Counts = Readonly<Record<'onList' | 'others' | 'refused', number>>

function takenNote(counts: Counts, isDryRun: boolean): Note {
  const { onList, others, refused } = counts
  const all = counted(onList + others + refused, 'account')
  return {
    code: 'accounts',
    text: `${all}: ${grouped(onList)} on the list, ${grouped(others)} not on it, ${grouped(refused)} refused. Only those on the list are noted.${isDryRun ? ' Nothing was changed.' : ''}`,
    data: counts,
  }
}

export async function fromCommandLine(
  options: TableArguments & Reading & Pick<CameOptions, 'json' | 'all'>,
  file: string | undefined,
): Promise<void> {
  if (file === undefined && options.dryRun) throw new Misuse('--dry-run needs a file of accounts.')
  const how = file === undefined ? {} : ofFile(file, options)
  await runWithStore({ ...how, looks: true }, (store, out, { linkKey }) => {
    const accounts = file !== undefined && { ...options, ...opened(file, options.format) }
    return came(store, { ...options, ...(accounts && { accounts }), linkKey }, out)
  })
}
