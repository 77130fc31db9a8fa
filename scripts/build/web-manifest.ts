import type { OfferedLanguage } from '../../src/product/languages.ts'
import { groundsOf } from '../../src/shared/palette.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'

/** In the folder of each language. */
export const MANIFEST = 'manifest.webmanifest'

/**
 * What a system needs to show the page among its programs, as somebody may put it there. It stays a
 * page in a browser: nobody is asked to install what is not there yet.
 */
export function webManifest({ product, path, code }: OfferedLanguage): string {
  const [{ palette }] = groundsOf(product)
  const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
    src: `/${name}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  return JSON.stringify({
    name: product.name,
    description: product.description,
    lang: code,
    dir: catalogueOf(product).dir,
    start_url: `${path}/`,
    display: 'browser',
    background_color: palette.ground,
    theme_color: palette.ground,
    icons: [
      icon('icon-192.png', 192, 'any'),
      icon('icon-512.png', 512, 'any'),
      icon('icon-maskable.png', 512, 'maskable'),
    ],
  })
}
