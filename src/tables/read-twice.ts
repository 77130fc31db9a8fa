import { createReadStream, ReadStream, statSync } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { refused } from './problems.ts'

/**
 * Reads a file to its end, and once more; what is no file, such as a pipe, from a copy, whose name is
 * gone before the first byte is in it.
 */
export async function readTwice(file: Readable) {
  if (file instanceof ReadStream && statSync(file.path, { throwIfNoEntry: false })?.isFile())
    return { first: file, second: () => createReadStream(file.path), close: async () => {} }
  const name = join(tmpdir(), `opening-bell-${crypto.randomUUID()}`)
  const copy = await open(name, 'wx+', 0o600).catch((cause: Error) => {
    throw refused({ code: 'unreadable', isFolder: false, answer: cause.message }, { cause })
  })
  await unlink(name)
  async function* copied() {
    for await (const chunk of file) {
      await copy.appendFile(chunk)
      yield chunk
    }
  }
  return {
    first: Readable.from(copied()),
    second: () => copy.createReadStream({ start: 0, autoClose: false }),
    close: () => copy.close(),
  }
}
