import { refused } from './problems.ts'

/** Characters of an entry. No list of subscribers has a longer one, and it would fill the memory. */
const LONGEST_ENTRY = 1_000_000
/** How deep an API wraps a list in its answer. */
const DEEPEST_LIST = 2

/**
 * The source text of each entry of a JSON list, or of the first list within an API's answer. One at a
 * time, since the whole file, parsed, takes twenty times its size in memory.
 *
 * @throws Refused when there is no list, and after its last whole entry when it is cut off.
 */
export async function* jsonEntries(text: AsyncIterable<string>): AsyncIterable<string> {
  let depth = 0
  /** How deep the entries are; none before the list begins, and `Infinity` once it is over. */
  let list: number | undefined
  let entry = ''
  let isInString = false
  let isEscaped = false
  const inString = /["\\]/g
  const outside = /["[\]{},]/g

  for await (const chunk of text) {
    if (depth === 0 && /^\s*[^\s[{]/.test(chunk)) throw noList()
    let from = 0
    let at = 0
    while (at < chunk.length) {
      if (isEscaped) {
        isEscaped = false
        at += 1
        continue
      }
      const marks = isInString ? inString : outside
      marks.lastIndex = at
      const found = marks.exec(chunk)
      if (!found) break
      const [mark] = found
      at = found.index + 1
      if (mark === '\\') isEscaped = true
      else if (mark === '"') isInString = !isInString
      else if (mark === '[' || mark === '{') {
        if (list === undefined && mark === '[' && depth <= DEEPEST_LIST) {
          list = depth + 1
          from = at
        }
        depth += 1
      } else {
        if (mark !== ',') depth -= 1
        if (depth < 0) throw noList()
        const isLast = Number.isFinite(list) && depth < Number(list)
        if (isLast || (mark === ',' && depth === list)) {
          entry += chunk.slice(from, found.index)
          if (!isLast || entry.trim() !== '') yield entry
          entry = ''
          from = at
          if (isLast) list = Number.POSITIVE_INFINITY
        }
      }
    }
    if (list !== undefined && Number.isFinite(list)) entry += chunk.slice(from)
    if (entry.length > LONGEST_ENTRY) throw refused({ code: 'long-entry' })
  }
  if (list === undefined) throw noList()
  if (depth > 0) throw refused({ code: 'json-cut-off' })
}

const noList = () => refused({ code: 'not-json' })
