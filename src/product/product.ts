import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { productSettings } from '../features/all-rules.ts'
import { findProductMistakes, type Product } from '../shared/product.ts'
import { findWordMistakes } from '../words/mistakes.ts'
import { productFolder } from './folders.mjs'
import { findLanguagesMistakes } from './language-mistakes.ts'

const { default: product } = (await import(
  pathToFileURL(join(productFolder, 'product.config.ts')).href
)) as { default: Product }

/** The founder's `product.config.ts`, as it stands there: `productMistakes` checks it. */
export default product

/** Checks the founder's file. @returns one line a mistake; none means that it is a `Product`. */
export function productMistakes(): string[] {
  if (Object.prototype.toString.call(product) !== '[object Object]')
    return ['product.config.ts: has no product: it must end in `export default product`']
  const mistakes = [
    ...findProductMistakes({ ...product }, productSettings),
    ...findWordMistakes({ ...product }),
    ...findLanguagesMistakes({ ...product }),
  ]
  return mistakes.map((mistake) => `product.config.ts: ${mistake}`)
}
