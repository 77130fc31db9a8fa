import { type Export, type ExportStore, exportList } from '../../tables/export-list.ts'
import type { Tool } from '../../tables/format-names.ts'
import { encoded } from '../../tables/formats.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { leftOut } from '../../terminal/standing-words.ts'
import { counted } from '../../terminal/words.ts'
import { runWithStore } from '../run.ts'
import { type TimeOptions, timeRange } from './time-range.ts'

/** `export`, as it comes from the command line. */
export interface ExportArguments extends ExportOptions {
  readonly for?: Tool
  readonly output?: string
}

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

export async function fromCommandLine(options: ExportArguments): Promise<void> {
  const { for: tool, output: folder, ...others } = options
  if (!tool)
    return runWithStore({ ...options, looks: true, takesIn: 'may' }, (store, out) =>
      exportCommand(store, others, out),
    )
  if (folder === undefined)
    throw new Misuse(
      `--for ${tool} needs --output and a folder, since it writes more than one file.`,
    )
  await runWithStore({ looks: true, takesIn: 'may' }, async (store, out, { dataDir }) => {
    const { exportForTool } = await import('./export-for.ts')
    return exportForTool(store, { tool, folder, dataDir }, out)
  })
}
