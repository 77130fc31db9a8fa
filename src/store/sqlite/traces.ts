import { fstatSync, openSync, read as readFrom, type Stats, statSync } from 'node:fs'
import { promisify } from 'node:util'

const read = promisify(readFrom)

const CHUNK = 1024 * 1024
const AT = 0x40

/** Texts by their length in bytes, each byte a character. */
type ByLength<T> = Map<number, Map<string, T>>

/** The searched addresses: domains with their @, and the parts before each. */
type Wanted = ByLength<ByLength<true>>

/**
 * Whether the bytes of one of these addresses are in a file, as they are or as JSON writes them
 * (`\"a b\"@…`), also as the beginning or end of a longer address.
 */
export async function holdsAnyOf(file: string, emails: readonly string[]): Promise<boolean> {
  const forms = emails.flatMap((email) => [email, JSON.stringify(email).slice(1, -1)])
  const wanted = wantedOf(forms)
  const longest = Math.max(0, ...forms.map((form) => Buffer.byteLength(form)))
  const fd = openForGood(file)
  const buffer = Buffer.alloc(longest + CHUNK)
  // The end of each chunk is searched again with the next, since an address may span the two.
  let kept = 0
  for (let position = 0; ; ) {
    const { bytesRead } = await read(fd, buffer, kept, CHUNK, position)
    if (bytesRead === 0) return false
    const end = kept + bytesRead
    if (hasAnyOf(buffer.subarray(0, end), wanted)) return true
    position += bytesRead
    const from = Math.max(0, end - longest)
    buffer.copyWithin(0, from, end)
    kept = end - from
  }
}

const opened = new Map<string, number>()

/**
 * Opens a file that SQLite may have open too. It is never closed: when a process closes a file, the
 * system drops all locks that this process holds on it, https://www.sqlite.org/howtocorrupt.html.
 */
function openForGood(file: string): number {
  const nameOf = ({ dev, ino }: Stats) => `${dev}:${ino}`
  const known = opened.get(nameOf(statSync(file)))
  if (known !== undefined) return known
  const fd = openSync(file, 'r')
  opened.set(nameOf(fstatSync(fd)), fd)
  return fd
}

function wantedOf(forms: readonly string[]): Wanted {
  const wanted: Wanted = new Map()
  for (const form of forms) {
    const bytes = Buffer.from(form).toString('latin1')
    const at = bytes.lastIndexOf('@')
    put(put(wanted, bytes.slice(at), new Map()), bytes.slice(0, at), true)
  }
  return wanted
}

/** @returns the value of that text, which becomes `value` if there was none. */
function put<T>(texts: ByLength<T>, text: string, value: T): T {
  const sameLength = texts.get(text.length) ?? new Map<string, T>()
  texts.set(text.length, sameLength)
  const kept = sameLength.get(text) ?? value
  sameLength.set(text, kept)
  return kept
}

/** Compares only at each @, so that many addresses take hardly longer than one. */
function hasAnyOf(bytes: Buffer, wanted: Wanted): boolean {
  for (let at = bytes.indexOf(AT); at >= 0; at = bytes.indexOf(AT, at + 1))
    for (const [domainLength, domains] of wanted) {
      const locals = domains.get(bytes.toString('latin1', at, at + domainLength))
      for (const [length, texts] of locals ?? [])
        if (length <= at && texts.has(bytes.toString('latin1', at - length, at))) return true
    }
  return false
}
