import { closeSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeNew } from '../../store/output-file.ts'
import { refused } from '../refusal.ts'
import type { Report } from '../report.ts'
import { CannotDecrypt, decryptFile, isEncrypted, type Openers } from './age.ts'
import { alone } from './scratch.ts'

/** An opened copy; its file is another one than the named one if that was encrypted. */
export interface OpenCopy {
  readonly file: string
  /** Whether only the operator can have made it: their passphrase opened it. */
  readonly isAuthentic: boolean
  /** Decrypts another copy as this one was. @returns the file, or `undefined`. */
  readonly decrypted: (file: string) => Promise<string | undefined>
}

/** Whether a copy has to be decrypted first. */
export function isLocked(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true && isEncrypted(file)
}

/**
 * Does `work` with a copy, decrypted where it is locked; what was decrypted goes at the end.
 *
 * @param openers of a locked one. @param listFolder the folder of the list, where there is one: a
 *   decrypted copy stands there, since it holds the same. @throws Refused
 */
export async function withOpenCopy(
  file: string,
  openers: Openers | undefined,
  listFolder: string | undefined,
  report: Report,
  work: (copy: OpenCopy) => Promise<void>,
): Promise<void> {
  if (!openers) return work({ file, isAuthentic: false, decrypted: async () => undefined })
  const folder = listFolder ?? mkdtempSync(join(tmpdir(), 'opening-bell-'))
  try {
    await alone(folder, report, async (scratch) => {
      const decryptTo = async (name: string, from: string) => {
        const to = join(scratch, name)
        rmSync(to, { force: true })
        closeSync(makeNew(to))
        await decryptFile(from, to, openers)
        return to
      }
      const plain = await decryptTo('copy.sqlite', file).catch((cause) => {
        if (!(cause instanceof CannotDecrypt)) throw cause
        throw refused({ code: 'not-decrypted', file, why: cause.message }, { cause })
      })
      const decrypted = (other: string) =>
        decryptTo('other.sqlite', other).catch((cause) => {
          if (!(cause instanceof CannotDecrypt)) throw cause
          return undefined
        })
      // Anybody can encrypt to a recipient, and write "scrypt" above it. A copy that a passphrase
      // opens was made with that passphrase.
      await work({ file: plain, isAuthentic: openers.identities.length === 0, decrypted })
    })
  } finally {
    if (listFolder === undefined) rmSync(folder, { recursive: true, force: true })
  }
}
