import { mkdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { type OutputFile, outputFile } from '../../store/output-file.ts'
import { exportFor } from '../../tables/export-for.ts'
import type { ExportStore } from '../../tables/export-list.ts'
import type { Tool } from '../../tables/formats.ts'
import { filesFor } from '../../tables/tools.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { goneInWords } from '../../terminal/standing-words.ts'
import { counted, grouped } from '../../terminal/words.ts'

export interface ExportForOptions {
  readonly tool: Tool
  /** The folder for the files, which is made if it is not there. */
  readonly folder: string
  /** The data folder, whose files no result may replace. */
  readonly dataDir: string
}

/** What is done with each file, and what the tool cannot take. */
const advice: Readonly<Record<Tool, { readonly files: object; readonly cannot: string }>> = {
  kit: {
    files: {
      'subscribers.csv':
        'make the fields subscribed_at, language, consent_at, consent and reply in Kit, then import it',
      'suppressed.csv':
        'never import it: Kit would subscribe these people. Only its API can add people as unsubscribed',
    },
    cannot: 'Kit takes the times of sign-up only as a field. It cannot import people who left.',
  },
  mailchimp: {
    files: {
      'subscribed_contacts.csv': 'import it with the status Subscribed',
      'unsubscribed_contacts.csv': 'import it with the status Unsubscribed',
      'cleaned_contacts.csv': 'import it with the status Cleaned',
    },
    cannot:
      'Mailchimp takes the times of sign-up only as text fields. It has no status for complaints, so these are in the file of the unsubscribed. It takes only the first 255 bytes of a consent.',
  },
  listmonk: {
    files: {
      'subscribers.csv': 'import it in the mode "subscribe", as confirmed',
      'blocklist.csv': 'import it in the mode "blocklist"',
    },
    cannot:
      'listmonk takes the times of sign-up only as attributes. Where a name is missing, it makes one from the address.',
  },
}

/** `export --for`: the files that another tool reads. They appear when all are complete. */
export async function exportForTool(
  store: Pick<ExportStore, 'list'>,
  { tool, folder, dataDir }: ExportForOptions,
  out: Out,
) {
  const files = begun(folder, tool, dataDir)
  try {
    const written = await exportFor(store, tool, {}, async (name, text) => {
      await files.get(name)?.write(text)
      out.progress(`writing ${name}`)
    })
    // Those who left come first: a list alone would be written to.
    for (const { name } of filesFor[tool]) await files.get(name)?.keep()
    const { counts, left, guarded } = written
    const how = advice[tool].files as Readonly<Record<string, string>>
    for (const [name, count] of counts)
      out.say(`${join(folder, name)}: ${counted(count, 'person', 'people')}; ${how[name]}.`)
    out.say(advice[tool].cannot)
    const gone = goneInWords(left)
    if (gone) out.say(`In no file, since nobody knows whether they want letters: ${gone}.`)
    if (guarded > 0)
      out.say(
        `${grouped(guarded)} of the addresses begin like a formula, so an apostrophe was put in front: remove it in the other tool, by hand.`,
      )
    return exitCodes.done
  } finally {
    for (const file of files.values()) await file.discard()
  }
}

/** Begins all files before other work. @throws OperatorError */
function begun(folder: string, tool: Tool, dataDir: string) {
  const files = new Map<string, ReturnType<typeof buffered>>()
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new OperatorError(`${folder}: cannot be made: ${message}`)
  }
  for (const { name } of filesFor[tool]) {
    const path = join(folder, name)
    try {
      files.set(name, buffered(outputFile(path, dataDir), path))
    } catch (cause) {
      for (const file of files.values()) void file.discard()
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
