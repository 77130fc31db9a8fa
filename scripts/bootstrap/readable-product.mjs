// Loaded before `product.config.ts`, so that an error in it is reported in one sentence.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { productFolder } from '../../src/product/folders.mjs'

const config = pathToFileURL(join(productFolder, 'product.config.ts')).href

/** The option that makes Node load this first. */
export const readableProduct = `--import=${pathToFileURL(import.meta.filename).href}`

if (process.execArgv.includes(readableProduct))
  try {
    await import(config)
  } catch (error) {
    const { code, url } = /** @type {{ code?: string, url?: string }} */ (error)
    if (code === 'ERR_MODULE_NOT_FOUND' && url === config) {
      console.error(`product.config.ts: there is none in ${productFolder}`)
      process.exit(1)
    }
    console.error(error instanceof SyntaxError ? explain(error) : whereThrown(error))
    process.exit(1)
  }

/** @param {SyntaxError} error with the lines around the place, and a mark under it. */
function explain({ stack = '', message }) {
  const lines = stack.split('\n')
  const mark = lines.findIndex((line) => /^\s*\^+\s*$/.test(line))
  const first = /:(\d+)$/.exec(lines[0] ?? '')?.[1]
  // Without a mark, what follows the place is all of it.
  const text = lines[mark < 0 ? 1 : mark - 1]?.trim()
  if (first === undefined || !text) return `product.config.ts: cannot be read: ${message}`
  const advice = /: *'.*'.*'/.test(text)
    ? `(a text with an apostrophe stands in double quotes: "It's open")`
    : '(look whether a quote, a comma or a bracket is missing in it or before it)'
  return `product.config.ts: line ${first} cannot be read: ${text} ${advice}`
}

/** @param {unknown} error that its code has thrown, such as a name that is not there. */
function whereThrown(error) {
  const { stack = '', message = String(error) } = /** @type {Partial<Error>} */ (Object(error))
  const line = stack.split(`${config}:`)[1]?.match(/^\d+/)?.[0]
  const [first] = message.split('\n')
  return `product.config.ts: ${line ? `line ${line} ` : ''}cannot be read: ${first}`
}
