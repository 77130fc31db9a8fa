import { addressIds } from '../../keys/address-id.ts'
import type { Data, Note } from '../../shared/report.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import { counted, grouped } from '../../terminal/words.ts'
import type { Account, FeatureParts, Terminal } from '../feature.ts'
import { noteCame } from './note-came.ts'
import { report } from './work.ts'

/** `came`: keeps who on the list has an account by now, and shows who of those told became a user. */
export async function fromTerminal(
  terminal: Terminal,
  options: Data,
  file: string | undefined,
): Promise<void> {
  const isDry = options.dryRun === true
  if (file === undefined && isDry) throw new Misuse('--dry-run needs a file of accounts.')
  const table = file === undefined ? undefined : await terminal.accounts(file, options)
  await terminal.withList({ looks: true, mayBeScratch: isDry }, async (parts, out) => {
    const counts = { onList: 0, others: 0, refused: 0 }
    for await (const { accounts, refused } of table?.read(out) ?? []) {
      counts.refused += refused
      for (const isListed of await taken(parts, accounts, isDry))
        counts[isListed ? 'onList' : 'others'] += 1
    }
    const { title, parts: all } = await report(parts)
    const notes = table ? [takenNote(counts, isDry)] : []
    await terminal.tell({ title, parts: [{ part: 'notes', notes }, ...all] }, options, out)
    return counts.refused > 0 ? exitCodes.partly : exitCodes.done
  })
}

function taken({ store, linkKey }: FeatureParts, accounts: readonly Account[], isDry: boolean) {
  if (!isDry) return noteCame(store, addressIds(linkKey).of, accounts)
  return Promise.all(accounts.map(async ({ email }) => Boolean(await store.list.find(email))))
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
