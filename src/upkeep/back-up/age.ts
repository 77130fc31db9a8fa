import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { inDataFolder } from '../../shared/data-folder.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { refused } from '../refusal.ts'
import { textAt } from './seal.ts'

/**
 * Copies are encrypted in the format of age, https://age-encryption.org/v1, so that the program
 * `age` reads them too. Loaded only to encrypt or decrypt a copy.
 */
const library = () => import('age-encryption')

/** How a copy is locked: to recipients, or with a passphrase. */
export type Lock = { readonly recipients: readonly string[] } | { readonly passphrase: string }

export interface Openers {
  /** Lines of identity files, `AGE-SECRET-KEY-…`. */
  readonly identities: readonly string[]
  readonly passphrase?: string | undefined
}

const MAGIC = 'age-encryption.org/'

/** Whether a file begins like an encrypted one. @throws the system's error */
export const isEncrypted = (file: string): boolean => textAt(file, 0, MAGIC.length) === MAGIC

/** Whether a file is encrypted with a passphrase, which is then the only way to open it. */
const needsPassphrase = (file: string): boolean => /^.*\n-> scrypt /.test(textAt(file, 0, 100))

/**
 * Encrypts a file, and decrypts the result as a check.
 *
 * @param to an existing file, which is overwritten and keeps its permissions.
 * @param dataDir has the machine's own identity, which can open it as well; not with a passphrase, beside
 *   which age allows no recipients.
 * @throws Refused for an invalid recipient.
 */
export async function encryptFile(from: string, to: string, lock: Lock, dataDir: string) {
  const { Decrypter, Encrypter, identityToRecipient } = await library()
  const encrypter = new Encrypter()
  const decrypter = new Decrypter()
  if ('passphrase' in lock) {
    encrypter.setPassphrase(lock.passphrase)
    decrypter.addPassphrase(lock.passphrase)
  } else {
    for (const recipient of lock.recipients)
      try {
        encrypter.addRecipient(recipient)
      } catch (cause) {
        throw refused({ code: 'no-recipient', recipient }, { cause })
      }
    const own = rehearsalKey(dataDir) ?? (await newRehearsalKey(dataDir))
    encrypter.addRecipient(await identityToRecipient(own))
    decrypter.addIdentity(own)
  }
  const before = createHash('sha256')
  const encrypted = await encrypter.encrypt(streamOf(from, before))
  await pipeline(Readable.fromWeb(encrypted as never), createWriteStream(to, { flags: 'r+' }))
  const after = createHash('sha256')
  for await (const part of await decrypter.decrypt(streamOf(to))) after.update(part)
  if (!before.digest().equals(after.digest()))
    throw new Error('The encrypted copy does not decrypt to what it was.')
}

/**
 * @param to an existing file, which is overwritten.
 * @throws StoreUnavailable: it was encrypted for others, or is damaged.
 */
export async function decryptFile(from: string, to: string, { identities, passphrase }: Openers) {
  const { Decrypter } = await library()
  const decrypter = new Decrypter()
  for (const identity of identities)
    try {
      decrypter.addIdentity(identity)
    } catch (cause) {
      // The cause may quote it.
      void cause
      throw refused({ code: 'no-identity' })
    }
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase)
  try {
    const plain = await decrypter.decrypt(streamOf(from))
    await pipeline(Readable.fromWeb(plain as never), createWriteStream(to, { flags: 'r+' }))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code?.startsWith('E')) throw cause
    const { message } = cause as Error
    const isOthers = /no identity matched/.test(message)
    const why = isOthers ? whyClosed(from, passphrase) : `it is damaged: ${message}`
    throw new StoreUnavailable(`${from} cannot be decrypted: ${why}.`, { cause })
  }
}

function whyClosed(file: string, passphrase: string | undefined): string {
  if (!needsPassphrase(file)) return 'it is encrypted to a recipient whose identity is not given'
  return passphrase === undefined
    ? 'it is encrypted with a passphrase, and none is given (BACKUP_PASSPHRASE)'
    : 'the passphrase is wrong'
}

/**
 * This machine's own identity, to which each copy is encrypted as well: so it can rehearse a
 * restore without the operator's. Access to the data folder gives the list anyway.
 *
 * @returns `undefined` where none was made yet. @throws Refused for one that is damaged.
 */
export function rehearsalKey(dataDir: string): string | undefined {
  const file = join(dataDir, inDataFolder.rehearsalKey)
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8').trim()
  if (/^AGE-SECRET-KEY-PQ-1[0-9A-Z]{50,80}$/.test(text)) return text
  throw refused({ code: 'damaged-rehearsal-key', file })
}

/** One of the kind that also resists quantum computers. */
async function newRehearsalKey(dataDir: string): Promise<string> {
  const made = await (await library()).generateHybridIdentity()
  const file = join(dataDir, inDataFolder.rehearsalKey)
  writeFileSync(file, `${made}\n`, { mode: 0o600, flag: 'wx', flush: true })
  return made
}

function streamOf(file: string, digest?: ReturnType<typeof createHash>) {
  const parts = createReadStream(file, { highWaterMark: 1 << 18 })
  if (digest) parts.on('data', (part) => digest.update(part))
  return Readable.toWeb(parts) as unknown as ReadableStream<Uint8Array>
}
