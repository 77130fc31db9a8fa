import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { brandStyle, logosInStyle } from '../../scripts/build/brand-style.ts'
import { renderHead } from '../../scripts/build/document.ts'
import { languagesOf } from '../../src/product/languages.ts'
import { AA, contrast } from '../../src/shared/colour.ts'
import { groundsOf } from '../../src/shared/look.ts'
import type { Product } from '../../src/shared/product.ts'
import { products } from '../fixtures/products.ts'

const own = 'tests/fixtures/products'
const kestrel: Product = { ...products.kestrel, logo: `${own}/kestrel.svg` }
const wordmark: Product = {
  ...products['northern-lights'],
  logo: `${own}/northern-lights.svg`,
}

type Transform = (style: string, file: string) => Promise<string>

/** What a product adds to a style sheet. */
function addedTo(sheet: 'web' | 'desk/page', product: Product) {
  const { transform } = brandStyle(languagesOf(product)[0])
  const around = { addWatchFile() {} }
  return (transform as Transform).call(around, '', `/src/${sheet}/styles/index.css`)
}

it('the page has the style that its product asks for, and no byte of what others do', async () => {
  const style = await addedTo('web', kestrel)
  expect(style).toContain(':root{--accent:#ff7a1a}')
  expect(style).toContain('footer.css')
  expect(style).not.toMatch(
    /wordmark|look|thanks-more|other-|outlined|question|share|countdown|@media/,
  )
  const other = await addedTo('web', wordmark)
  // Four times as wide as high: 282 by 71.
  expect(other).toContain('--logo-height:calc(var(--logo) * 0.7096)')
  expect(other).toContain('--logo-width:calc(var(--logo) * 2.8185)')
  expect(other).toContain('wordmark.css')
  expect(other).not.toContain('footer')
  const { accent: _, ...plain } = wordmark
  expect(await addedTo('web', { ...plain, logo: 'brand/logo.svg' })).not.toContain(':root')
})

it('the desk has its accent and its logo, and good, warning and bad as they are', async () => {
  const style = await addedTo('desk/page', wordmark)
  expect(style).toContain('--accent:#a78bfa;')
  expect(style).toContain('--logo-width:')
  expect(style).toContain('wordmark.css')
  expect(style).not.toMatch(/--(good|warn|bad|green)/)
  const sheets = ['src/shared/styles/tokens.css', 'src/desk/page/styles/tokens.css']
  const tokens = sheets.map((file) => readFileSync(file, 'utf8')).join('')
  expect(tokens).toContain('--good: var(--green);')
  for (const name of ['green', 'warn', 'bad'])
    for (const ground of ['#000000', '#101216']) {
      const [, colour = ''] = new RegExp(`--${name}: (#\\w+);`).exec(tokens) ?? []
      expect(contrast(colour, ground), `${name} on ${ground}`).toBeGreaterThanOrEqual(AA)
    }
})

it('a look of two grounds follows its visitor, but on paper', async () => {
  const look = { light: '#fbf5ea', dark: '#17120c', button: 'accent' } as const
  const logo = { light: `${own}/warraq-paper.svg`, dark: `${own}/warraq.svg` }
  const product: Product = { ...kestrel, look, logo }
  const style = await addedTo('web', product)
  const [light, dark] = groundsOf(product)
  const variables = (ground = light) =>
    `{:root{--ground:${ground.palette.ground};[^}]*--accent:${ground.palette.accent};--button:var\\(--accent\\)}}`
  expect(style).toMatch(
    new RegExp(
      `@media screen${variables()}\n@media screen and \\(prefers-color-scheme:dark\\)${variables(dark)}$`,
    ),
  )
  // What a browser paints around it.
  const themes = groundsOf(product).map(
    ({ scheme, palette }) =>
      `<meta name="theme-color" content="${palette.ground}" media="(prefers-color-scheme: ${scheme})">`,
  )
  expect(renderHead(languagesOf(product)[0], null)).toContain(themes.join(''))
  expect(logosInStyle(product)).toBe(
    `@media screen and (prefers-color-scheme:dark){:is(.brand,.splash) img{content:url(/${logo.dark})}}`,
  )
  expect(logosInStyle(kestrel)).toBe('')
  // By which a scene draws it once more.
  expect(logosInStyle({ ...product, scene: 'mark' })).toBe(
    `:root{--logo-image:url(/${logo.light})}@media screen and (prefers-color-scheme:dark){` +
      `:is(.brand,.splash) img{content:url(/${logo.dark})}:root{--logo-image:url(/${logo.dark})}}`,
  )
})
