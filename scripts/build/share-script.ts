import type { Product } from '../../src/shared/product.ts'
import { offerSheet } from '../../src/web/offer-sheet.ts'
import { minifyScript } from './document.ts'

/** Whether visitors are offered to pass the page on. A link needs the address of the page. */
export const isShared = ({ share }: Product, publicUrl: string | null) =>
  share === true && publicUrl !== null

/** For a page with links to pass on and no other script. */
export const SHARE_SCRIPT = minifyScript(`(${offerSheet})(document.querySelector('.share'))`)
