import { readdirSync, readFileSync } from 'node:fs'
import { productOf, slugOf } from './words.mjs'

/** @import { Words } from './answers.mjs' */

/** What a founder's folder begins with; each file ends in `.txt` here, so that no tool takes it for ours. */
const FOLDER = new URL('./folder/', import.meta.url)

/**
 * Everything that a founder's folder begins with, by path.
 *
 * @param {Words} words
 * @param {string} version of opening-bell, exactly.
 * @param {string} logo an SVG.
 * @returns {Record<string, string>}
 */
export function filesOf(words, version, logo) {
  const { name } = words
  const fields = Object.entries(productOf(words)).map(
    ([field, value]) => `  ${field}: ${literal(value)},`,
  )
  const slots = new Map([
    ['name', name],
    ['title', name.replace(/[\\`*_[\]<>&#]/g, '\\$&')],
    ['sender', /^[\p{L}\p{N} ]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`],
    ['slug', slugOf(name)],
    ['version', version],
    ['fields', fields.join('\n')],
  ])
  const files = readdirSync(FOLDER).map((file) => {
    const text = readFileSync(new URL(file, FOLDER), 'utf8')
    return [
      file.replace(/\.txt$/, ''),
      text.replace(/\{(\w+)\}/g, (_, slot) => `${slots.get(slot)}`),
    ]
  })
  return { ...Object.fromEntries(files), 'brand/logo.svg': logo }
}

/** @param {string} text */
const literal = (text) => (/['\\]/.test(text) ? JSON.stringify(text) : `'${text}'`)
