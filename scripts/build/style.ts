import { build, type Rolldown } from 'vite'
import { inCode } from '../../src/product/folders.mjs'
import type { OfferedLanguage } from '../../src/product/languages.ts'
import { brandStyle, chartInColours, logosInStyle } from './brand-style.ts'
import { buildConfig } from './page-config.ts'

/** The style of the page in one language, as the build leaves it, without its typeface. */
export async function styleOf(language: OfferedLanguage): Promise<string> {
  const built = (await build(
    buildConfig({
      plugins: [brandStyle(language)],
      build: { write: false, rolldownOptions: { input: inCode('src/web/styles/index.css') } },
    }),
  )) as Rolldown.RolldownOutput
  const style = built.output.find(({ fileName }) => fileName.endsWith('.css'))
  if (style?.type !== 'asset') throw new Error('the page has no style')
  const { product } = language
  // An inline picture stands in quotes: as it is it has fewer bytes, and only `</style` would end the style.
  const css = String(style.source)
    .trim()
    .replaceAll(/%(20|3e|3c(?!\/st))/gi, decodeURIComponent)
  // Its own colours take the place of the black page's, and paper has its own.
  const coloured = product.look
    ? css.replace(/--ground:#000;.*?--accent:var\(--green\);?/, '')
    : css
  return chartInColours(coloured, product) + logosInStyle(product)
}
