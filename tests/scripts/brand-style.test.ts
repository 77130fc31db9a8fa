import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { brandStyle, chartInColours, logosInStyle } from '../../scripts/build/brand-style.ts'
import { renderHead } from '../../scripts/build/document.ts'
import { pictureHead } from '../../scripts/build/picture-head.ts'
import { languagesOf } from '../../src/product/languages.ts'
import { AA, contrast, toOklch } from '../../src/shared/colour.ts'
import { groundsOf } from '../../src/shared/palette.ts'
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
  expect(style).toContain(':root{--accent:#ff7a1a;')
  // Its links need room on a low screen.
  expect(style).toContain('--needs:38.5rem')
  expect(style).toContain('footer.css')
  expect(style).not.toMatch(/wordmark|look|thanks-more|other-|outlined|question|share|countdown/)
  const other = await addedTo('web', wordmark)
  // Without its margins almost six times as wide as high: 341 by 59. The desk has it with them.
  expect(other).toContain('--logo-height:calc(var(--logo) * 0.5874)')
  expect(other).toContain('--logo-width:calc(var(--logo) * 3.4051)')
  expect(await addedTo('desk/page', wordmark)).toContain('--logo-width:calc(var(--logo) * 2.8185)')
  expect(other).toContain('wordmark.css')
  expect(other).not.toContain('footer')
  const { accent: _, ...plain } = wordmark
  expect(await addedTo('web', { ...plain, logo: 'brand/logo.svg' })).not.toMatch(/--logo|--accent/)
})

it('a picture has its place on a phone by the shape of the file that is for phones', async () => {
  const picture = { file: 'brand/none.avif', small: 'docs/splash.webp', alt: 'The splash' }
  const { width = 0, height = 1 } = pictureHead(readFileSync(picture.small)) ?? {}
  const style = await addedTo('web', { ...wordmark, look: { ground: '#f5f2e6', picture } })
  expect(style).toContain(`--picture-ratio:${(width / height).toFixed(4)}`)
})

it('a light ground has light in its own lightness, and its chart in its own green and red', async () => {
  const look = { ground: '#f5f2e6' }
  const tea = { ...wordmark, accent: '#4a642a', look, scene: 'horizon' } as const
  const style = await addedTo('web', tea)
  const [, glow = ''] = /--glow:(#[0-9a-f]{6})ff/.exec(style) ?? []
  const [lightness, chroma] = toOklch(glow)
  expect(lightness).toBeGreaterThan(toOklch(look.ground)[0] - 0.03)
  expect(chroma).toBeGreaterThan(toOklch(look.ground)[1])
  const night = await addedTo('web', { ...tea, look: { ground: '#17120c' } })
  const [{ palette }] = groundsOf({ ...tea, look: { ground: '#17120c' } })
  expect(night).toContain(`--glow:${palette.accent}`)
  expect(await addedTo('web', { ...tea, scene: 'none' })).not.toContain('--glow')

  const chart = `.backdrop{background:url("data:image/svg+xml,%232ee6a0 %23f2495c")}`
  const [{ palette: paper }] = groundsOf({ look })
  const drawn = chartInColours(chart, { ...wordmark, look })
  expect(drawn).toContain(`%23${paper.green.slice(1)} %23${paper.red.slice(1)}`)
  const both = chartInColours(chart, { ...wordmark, look: { light: '#f5f2e6', dark: '#17120c' } })
  expect(both).toContain('.backdrop{background:var(--chart)}')
  expect(both).toMatch(/dark\)\{:root\{--chart:url\("data:image\/svg\+xml,%232ee6a0 /)
  expect(chartInColours(chart, wordmark)).toBe(chart)
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
