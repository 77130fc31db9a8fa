import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { isAnnouncementName } from '../../../announcement/run/letter-file.ts'
import { namedAfter } from '../../../announcement/run/translations.ts'
import { inDataFolder } from '../../../shared/data-folder.ts'
import { languageCode } from '../../../shared/language-code.ts'
import { say } from '../../../shared/say.ts'
import { tellsNews } from '../../../store/delivery-ledger.ts'
import { lettersThatAsk } from '../../../store/letters-that-ask.ts'
import { isDiskTrouble, OutputRefused, outputFile } from '../../../store/output-file.ts'
import { OperatorError } from '../../../terminal/operator-error.ts'

/** In bytes; a letter whose HTML is longer than 102 kB is cut by Gmail. */
export const LONGEST_LETTER = 200_000
export const MOST_LETTERS = 200

/** A letter as it lies on the disk. */
export interface KeptLetter {
  readonly name: string
  readonly source: string
  readonly changedAt: Date
}

/** The path of the form for a new letter, so no letter may have this name. */
const NEW = 'new'

/** Whether a letter may have this name, which is also its file's and its announcement's. */
export function isLetterName(name: string): boolean {
  return isAnnouncementName(name) && tellsNews(name) && name !== NEW
}

/** A hash of a letter's file; empty for none. */
export function versionOf(letter: Pick<KeptLetter, 'source'> | undefined): string {
  return letter ? createHash('sha256').update(letter.source).digest('base64url').slice(0, 22) : ''
}

export type LetterFolder = ReturnType<typeof letterFolder>

/**
 * The letters of the desk, as files that `announce` can send. Each `code` is that of a translation, as
 * BCP 47 has it; left out for the letter itself.
 *
 * @param dataDir the folder with the list; the letters are in a folder in it, made when it is needed.
 */
export function letterFolder(dataDir: string) {
  const path = join(dataDir, inDataFolder.letters)

  const fileOf = (name: string, code?: string) => fileIn(path, name, code)

  function read(name: string, code?: string): KeptLetter | undefined {
    const found = isLetterName(name) ? readAt(fileOf(name, code)) : undefined
    return found && { name, ...found }
  }

  return {
    path,
    read,
    /** Reads what lies beside a letter: nothing of a link, or of what is no plain file. */
    readBeside: (path: string) => readAt(path)?.source,
    fileOf,

    /** In no order. */
    list() {
      const names = namesIn(path).flatMap((file) => /^(.+)\.md$/.exec(file)?.[1] ?? [])
      return names
        .filter(isLetterName)
        .slice(0, MOST_LETTERS)
        .flatMap((name) => read(name) ?? [])
    },

    /**
     * Keeps a letter, whole or not at all. No `await` from the check to the renaming, so no other request
     * comes between.
     *
     * @param version of what the operator began to edit; empty for a new one.
     * @throws OperatorError when something else is there now, or there is no space
     */
    save(name: string, source: string, version: string, code?: string) {
      const file = fileOf(name, code)
      if (versionOf(read(name, code)) !== version)
        throw somethingElse(version === '' && code === undefined ? name : undefined, file)
      refuseTooMuch(path, source, version === '')
      try {
        ownFolderAt(path)
        writeWhole(file, source, dataDir)
      } catch (error) {
        if (!(error instanceof OutputRefused) && !isDiskTrouble(error)) throw error
        const { message } = error as Error
        throw new OperatorError(
          say('The letter cannot be written: {message}. Nothing was saved.', { message }),
          {
            cause: error,
          },
        )
      }
    },

    remove: (name: string, code?: string) => rmSync(fileOf(name, code), { force: true }),
  }
}

/** @param name of a new letter. */
const somethingElse = (name: string | undefined, file: string) =>
  new OperatorError(
    name
      ? say('There is a letter "{name}" already: choose another name.', { name })
      : say(
          'The letter "{name}" was changed meanwhile, in another tab or on the disk. Copy your text, and open the letter again.',
          { name: basename(file, '.md') },
        ),
  )

/** Where the file of a letter is. @throws OperatorError for what is no name of one */
function fileIn(path: string, name: string, code?: string): string {
  if (!isLetterName(name))
    throw new OperatorError(
      say(
        'A name has only a–z, 0–9 and hyphens, 60 at most, such as launch-2. "{NEW}" and what begins with {words} are taken.',
        { NEW, words: lettersThatAsk.map(({ name }) => `"${name}"`).join(say(' or ')) },
      ),
    )
  const file = join(path, `${name}.md`)
  if (code === undefined) return file
  if (languageCode(code) !== code) throw new OperatorError(say('That is no language.'))
  // One that was put there by hand may write its language another way, as `launch.pt_br.md`.
  const there = namesIn(path).length > 0 ? namedAfter(file) : []
  return there.find((one) => one.code === code)?.path ?? join(path, `${name}.${code}.md`)
}

function refuseTooMuch(path: string, source: string, isNew: boolean): void {
  if (Buffer.byteLength(source) > LONGEST_LETTER)
    throw new OperatorError(say('A letter has at most {kB} kB.', { kB: LONGEST_LETTER / 1000 }))
  if (isNew && namesIn(path).length >= 4 * MOST_LETTERS)
    throw new OperatorError(say('There are too many files in {path}.', { path }))
  if (isNew && countLetters(path) >= MOST_LETTERS)
    throw new OperatorError(
      say('There are {letters} letters: remove one first.', { letters: MOST_LETTERS }),
    )
}

function writeWhole(file: string, source: string, dataDir: string): void {
  const output = outputFile(file, dataDir)
  try {
    writeFileSync(output.unfinished, source)
    output.keep()
  } catch (error) {
    output.discard()
    throw error
  }
}

function readAt(path: string): Omit<KeptLetter, 'name'> | undefined {
  const file = openOwn(path)
  if (file === undefined) return undefined
  try {
    const { size, mtime, nlink } = fstatSync(file)
    // A hard link: the file may be a key under its other name.
    if (nlink !== 1) return undefined
    const source = size > LONGEST_LETTER ? '' : readFileSync(file, 'utf8')
    return { source, changedAt: mtime }
  } finally {
    closeSync(file)
  }
}

const countLetters = (path: string) =>
  namesIn(path).filter((name) => name.endsWith('.md') && isLetterName(basename(name, '.md'))).length

/**
 * Makes a folder that only its owner can read. @throws OperatorError where something else is in its
 * place
 */
export function ownFolderAt(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const stat = lstatSync(path)
  if (!stat.isDirectory() || (process.platform !== 'win32' && (stat.mode & 0o077) !== 0))
    throw new OperatorError(say('{path} must be a folder that only its owner can read.', { path }))
}

export function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Opens an ordinary file, and follows no link. */
export function openOwn(path: string): number | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  let file: number
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if (/^(ENOENT|ELOOP|EMLINK|ENXIO)$/.test((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  }
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  return undefined
}
