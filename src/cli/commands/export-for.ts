import { mkdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { type OutputFile, outputFile } from '../../store/output-file.ts'
import { noneOfEach } from '../../store/subscriber-list.ts'
import type { ExportStore } from '../../tables/export-list.ts'
import type { Tool } from '../../tables/format-names.ts'
import { isFormula } from '../../tables/formats.ts'
import { cellsIn, filesFor, type ToolFile } from '../../tables/tools.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { goneInWords } from '../../terminal/standing-words.ts'
import { counted, grouped } from '../../terminal/words.ts'
import words from './export-for.json' with { type: 'json' }

export interface ExportForOptions {
  readonly tool: Tool
  /** The folder for the files, which is made if it is not there. */
  readonly folder: string
  /** The data folder, whose files no result may replace. */
  readonly dataDir: string
}

/**
 * `export --for`: the files that another tool reads, those who may be mailed and those who left. They
 * appear when all are complete.
 */
export async function exportForTool(
  store: Pick<ExportStore, 'list'>,
  { tool, folder, dataDir }: ExportForOptions,
  out: Out,
) {
  const advice: Readonly<Record<string, string>> = words[tool]
  const left = noneOfEach()
  let guarded = 0
  const files = begun(folder, tool, dataDir)
  try {
    for (const { columns, file } of files) await file.write(lineOf(Object.keys(columns)))
    for await (const one of store.list.stream({ standing: 'all' })) {
      const its = files.find(({ standings }) => standings.includes(one.standing))
      if (!its) {
        left[one.standing] += 1
        continue
      }
      await its.file.write(lineOf(cellsIn(its, one)))
      out.progress(`writing ${its.name}`)
      its.count += 1
      if (isFormula(one.email)) guarded += 1
    }
    // Those who left come first: a list alone would be written to.
    for (const { file } of files) await file.keep()
    for (const { name, count } of files)
      out.say(`${join(folder, name)}: ${counted(count, 'person', 'people')}; ${advice[name]}.`)
    out.say(words[tool].cannot)
    const gone = goneInWords(left)
    if (gone) out.say(`In no file, since nobody knows whether they want letters: ${gone}.`)
    // A spreadsheet would take them for formulas.
    if (guarded > 0)
      out.say(
        `${grouped(guarded)} of the addresses begin like a formula, so an apostrophe was put in front: remove it in the other tool, by hand.`,
      )
    return exitCodes.done
  } finally {
    for (const { file } of files) await file.discard()
  }
}

const lineOf = (cells: readonly string[]) => `${cells.join(',')}\r\n`

/** Begins all files before other work. @throws OperatorError */
function begun(folder: string, tool: Tool, dataDir: string) {
  const files: (ToolFile & { readonly file: ReturnType<typeof buffered>; count: number })[] = []
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new OperatorError(`${folder}: cannot be made: ${message}`)
  }
  for (const one of filesFor[tool]) {
    const path = join(folder, one.name)
    try {
      files.push({ ...one, file: buffered(outputFile(path, dataDir), path), count: 0 })
    } catch (cause) {
      for (const { file } of files) void file.discard()
      const { code, message } = cause as NodeJS.ErrnoException
      if (code === 'ENOTDIR')
        throw new OperatorError(
          `--output: ${folder} is a file; name a folder, since there are ${filesFor[tool].length} files.`,
        )
      throw new OperatorError(`${path}: cannot be written: ${message}`, { cause })
    }
  }
  return files
}

const CHUNK = 64 * 1024

function buffered(file: OutputFile, path: string) {
  let handle: FileHandle | undefined
  let chunk = ''
  let isKept = false
  const orOperatorError = async (work: () => Promise<void>) => {
    await work().catch((cause: Error) => {
      throw new OperatorError(`${path}: cannot be written: ${cause.message}`, { cause })
    })
  }
  const flush = async () => {
    handle ??= await open(file.unfinished, 'r+')
    await handle.appendFile(chunk)
    chunk = ''
  }
  return {
    async write(text: string) {
      chunk += text
      if (chunk.length >= CHUNK) await orOperatorError(flush)
    },
    keep: () =>
      orOperatorError(async () => {
        await flush()
        await handle?.close()
        handle = undefined
        file.keep()
        isKept = true
      }),
    async discard() {
      await handle?.close()
      handle = undefined
      if (!isKept) file.discard()
    },
  }
}
