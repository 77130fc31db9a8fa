import { createReadStream, existsSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { columnKind } from '../../tables/column-kind.ts'
import { type Format, formats } from '../../tables/format-names.ts'
import type { Reading } from '../../tables/import-lines.ts'
import { OperatorError } from '../../terminal/operator-error.ts'

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

/** The file itself, or standard input, with what its name says of it. */
export function opened(file: string, format: Format | undefined) {
  const ending = extname(file).slice(1)
  const everybody = standingOfFile(file)
  return {
    file: file === '-' ? process.stdin : createReadStream(file),
    format: format ?? formats.find((known) => known === ending) ?? 'csv',
    ...(everybody && { everybody }),
  }
}

/** The standing of everybody in a file, from its name, such as those of Mailchimp. */
export function standingOfFile(file: string): Reading['everybody'] {
  const name = basename(file)
  if (/non[-_ ]?subscribed/i.test(name)) return 'never-agreed'
  if (/^(unsubscri|opt-?_?outs?|suppress|block-?_?list|black-?_?list)/i.test(name))
    return 'unsubscribed'
  if (/^cleaned[_-]/i.test(name)) return 'bounced'
  const kind = columnKind(name.replace(/\.\w+$/, ''))
  return kind?.says === 'left' && !kind.isUnclear ? 'may-have-left' : undefined
}
