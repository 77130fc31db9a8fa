import { type Export, type ExportStore, exportList } from '../../tables/export-list.ts'
import { encoded } from '../../tables/formats.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { leftOut } from '../../terminal/standing-words.ts'
import { counted } from '../../terminal/words.ts'
import { runWithStore } from '../run.ts'
import { type TimeOptions, timeRange } from './time-range.ts'

export type ExportOptions = Pick<Export, 'format' | 'all'> & TimeOptions

/** `export`: the list as a file, or on standard output. */
export async function exportCommand(store: ExportStore, options: ExportOptions, out: Out) {
  const wanted = { ...options, range: timeRange(options) }
  const { count, left } = await exportList(store, wanted, async (text, sofar) => {
    await out.write(encoded(text, options.format))
    out.progress(`${counted(sofar, 'subscriber')} written`)
  })
  const who = options.all ? counted(count, 'person', 'people') : counted(count, 'subscriber')
  out.say(`${who} exported.${leftOut(left)}`)
  return exitCodes.done
}

export const fromCommandLine = (options: ExportOptions & { readonly output?: string }) =>
  runWithStore({ ...options, looks: true, takesIn: 'may' }, (store, out) =>
    exportCommand(store, options, out),
  )
