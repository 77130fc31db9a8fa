import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Product } from '../shared/product.ts'
import { productFolder } from './folders.mjs'

const { default: product } = (await import(
  pathToFileURL(join(productFolder, 'product.config.ts')).href
)) as { default: Product }

/** The founder's `product.config.ts`, as it stands there: `findProductMistakes` checks it. */
export default product
