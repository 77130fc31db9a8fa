import type { FeaturesOn } from '../../src/config/programs.ts'
import { rules } from '../../src/features/all-rules.ts'
import type { Product } from '../../src/shared/product.ts'
import { offerSheet } from '../../src/web/parts/offer-sheet.ts'
import { minifyScript } from './document.ts'

/** Whether visitors are offered to pass the page on. A link needs the address of the page. */
export const isShared = ({ share }: Product, publicUrl: string | null) =>
  share === true && publicUrl !== null

/** The sentences with the link that a feature lets who confirmed pass on; nothing without one. */
export const passedOnBy = (features: FeaturesOn = {}) =>
  rules.find(({ name, passesOn }) => features[name] && passesOn)?.passesOn

/** For a page with links to pass on and no other script. */
export const SHARE_SCRIPT = minifyScript(`(${offerSheet})(document.querySelector('.share'))`)
