import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Letter, parseLetter } from '../../mail/letter/letter.ts'
import { drawLogo } from '../../mail/letter/logo.ts'
import type { LetterThatAsks } from '../../shared/feature-rules.ts'
import { logoOn } from '../../shared/look.ts'
import type { ProductLanguages } from '../../shared/product.ts'
import { tellsNews } from '../../store/delivery-ledger.ts'
import { askedBy } from '../../store/letters-that-ask.ts'
import { refused } from '../refusal.ts'
import { type Letters, readTranslations } from './translations.ts'

/** A letter in its languages, the announcement's id, and the attached picture. */
export interface LetterFile extends Letters {
  /** From the file's name, so that running the same file again continues the announcement. */
  readonly id: string
  readonly logo: Buffer
}

/** Whether a letter's file may have this name, without its ending. */
export function isAnnouncementName(name: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/.test(name)
}

/**
 * @param mailFrom the setting `MAIL_FROM`. @param asks what it asks, if anything.
 * @throws Refused where it is no letter.
 */
export async function readLetterFile(
  file: string,
  mailFrom: string,
  languages: ProductLanguages,
  root: string,
  asks?: LetterThatAsks,
): Promise<LetterFile> {
  const name = basename(file).replace(/\.[^.]*$/, '')
  const id = asks && askedBy(name) !== asks ? `${asks.name}-${name}` : name
  if (!isAnnouncementName(id)) throw refused({ code: 'letter-name', file })
  if (!tellsNews(id) && !asks) throw refused({ code: 'letter-name-taken', file })
  const read = (path: string) => ({ ...readLetter(path, mailFrom), ...(asks && { asks }) })
  const letter = read(file)
  const translations = readTranslations(file, letter, languages, read)
  const logo = readFileSync(join(root, logoOn(languages[0].product, 'light')))
  return { letter, translations, id, logo: await drawLogo(logo) }
}

function readLetter(file: string, mailFrom: string): Letter {
  const read = parseLetter(readText(file), mailFrom)
  if ('mistakes' in read) throw refused({ code: 'letter-mistakes', file, mistakes: read.mistakes })
  return read.letter
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const { message: answer, code } = cause as NodeJS.ErrnoException
    throw refused(
      { code: 'letter-unreadable', file, answer, isMissing: code === 'ENOENT' },
      { cause },
    )
  }
}
