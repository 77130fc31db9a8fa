import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { textAt } from './seal.ts'

/**
 * Copies are encrypted in the format of age, https://age-encryption.org/v1, so that the program
 * `age` reads them too. Loaded only to encrypt or decrypt a copy.
 */
const library = () => import('age-encryption')

const MAGIC = 'age-encryption.org/'

/** Whether a file begins like an encrypted one. @throws the system's error */
export const isEncrypted = (file: string): boolean => textAt(file, 0, MAGIC.length) === MAGIC

/**
 * Encrypts a file, and decrypts the result as a check.
 *
 * @param to an existing file, which is overwritten and keeps its permissions.
 */
export async function encryptFile(from: string, to: string, passphrase: string): Promise<void> {
  const { Decrypter, Encrypter } = await library()
  const encrypter = new Encrypter()
  const decrypter = new Decrypter()
  encrypter.setPassphrase(passphrase)
  decrypter.addPassphrase(passphrase)
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
 * @throws StoreUnavailable: it was encrypted with another passphrase, or is damaged.
 */
export async function decryptFile(from: string, to: string, passphrase: string | undefined) {
  const refused = (why: string, cause?: unknown) =>
    new StoreUnavailable(`${from} cannot be decrypted: ${why}.`, { cause })
  if (passphrase === undefined)
    throw refused('it is encrypted with a passphrase, and none is given (BACKUP_PASSPHRASE)')
  const { Decrypter } = await library()
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    const plain = await decrypter.decrypt(streamOf(from))
    await pipeline(Readable.fromWeb(plain as never), createWriteStream(to, { flags: 'r+' }))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code?.startsWith('E')) throw cause
    const { message } = cause as Error
    const isOthers = /no identity matched/.test(message)
    throw refused(isOthers ? 'the passphrase is wrong' : `it is damaged: ${message}`, cause)
  }
}

function streamOf(file: string, digest?: ReturnType<typeof createHash>) {
  const parts = createReadStream(file, { highWaterMark: 1 << 18 })
  if (digest) parts.on('data', (part) => digest.update(part))
  return Readable.toWeb(parts) as unknown as ReadableStream<Uint8Array>
}
