import { createReadStream, existsSync } from 'node:fs'
import { basename, extname } from 'node:path'
import type { AccountTable } from '../../features/feature.ts'
import { commandLine } from '../../product/command-line.ts'
import { batches } from '../../shared/batches.ts'
import { shellWord } from '../../shared/shell-word.ts'
import { type Format, formats } from '../../tables/format-names.ts'
import { importLines, type Reading } from '../../tables/import-lines.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import { columnsInWords, refusedInWords, rowProblemInWords } from './table-words.ts'

/** The options of each command that reads a table. */
export interface TableArguments extends Omit<Reading, 'everybody'> {
  readonly dryRun?: boolean
  readonly format?: Format
}

/**
 * How a command that reads a file runs. A file that is missing is said before a list or a key is
 * made. @throws OperatorError
 */
export function ofFile(file: string, { dryRun }: TableArguments) {
  if (file !== '-' && !existsSync(file)) throw new OperatorError(`There is no file ${file}`)
  return { mayBeScratch: dryRun ?? false }
}

/** The file itself, or standard input. */
export function opened(file: string, format: Format | undefined) {
  const ending = extname(file).slice(1)
  return {
    file: file === '-' ? process.stdin : createReadStream(file),
    format: format ?? formats.find((known) => known === ending) ?? 'csv',
  }
}

const BATCH = 200

/** The accounts of a product in a file. @throws OperatorError where there is none */
export function accountsIn(file: string, options: AccountArguments): AccountTable {
  ofFile(file, options)
  return {
    async *read(out) {
      const table = opened(file, options.format)
      // What stands in a product's table beside an address says nothing about our list.
      const reading = { ...options, ...table, areAccounts: true }
      const lines = importLines(
        table,
        reading,
        (read) => read && out.say(`${columnsInWords(read, true)}.`),
      )
      for await (const some of batches(lines, BATCH)) {
        const accounts = some.flatMap((line) => ('subscriber' in line ? line.subscriber : []))
        for (const line of some)
          if ('problem' in line)
            await out.write(
              refusedInWords(line.place, rowProblemInWords(line.problem), options.json),
            )
        yield {
          accounts: accounts.map(({ email, subscribedAt }) => ({ email, at: subscribedAt })),
          refused: some.length - accounts.length,
        }
      }
    },
  }
}

interface AccountArguments extends TableArguments, Reading {
  readonly json?: boolean
}

/**
 * The standing of everybody in a file of Mailchimp, from its name. @throws OperatorError for one of people
 * who never agreed, and for another whose name says that they left.
 */
export function standingOfFile(file: string): Reading['everybody'] {
  const name = basename(file)
  if (/non[-_ ]?subscribed/i.test(name))
    throw new OperatorError(
      'Nothing was changed: these people never agreed to get letters. Mailchimp calls those non-subscribed who bought or wrote something.',
    )
  if (/^(unsubscri|opt-?_?outs?|suppress|block-?_?list|black-?_?list)/i.test(name))
    return 'unsubscribed'
  if (/^cleaned[_-]/i.test(name)) return 'bounced'
  if (/^(bounce|complain|spam|undeliver)/i.test(name))
    throw new OperatorError(
      `Nothing was changed: by its name, this is a file of people who left. If they did: ${commandLine(`suppress ${shellWord(file)}`)}. If not, give it another name.`,
    )
  return undefined
}
