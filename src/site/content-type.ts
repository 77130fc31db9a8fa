import { isUtf8 } from 'node:buffer'
import { extname } from 'node:path'
import types from './content-types.json' with { type: 'json' }

/** What is only downloaded. */
export const BINARY = 'application/octet-stream'

/**
 * What a browser takes a file for, by the ending of its path.
 *
 * @param content decides where there is no ending, as of `apple-app-site-association`: a browser would
 *   download a text without a type.
 */
export function contentTypeOf(path: string, content?: Buffer): string {
  const ending = extname(path).toLowerCase()
  if (ending) return (types as Readonly<Record<string, string>>)[ending] ?? BINARY
  if (!content || !isUtf8(content) || content.includes(0)) return BINARY
  const text = content.toString()
  if (/^\uFEFF?\s*<(!doctype\s+html|html)\b/i.test(text)) return types['.html']
  return isJson(text) ? types['.json'] : types['.txt']
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
