import { readFile } from 'node:fs/promises'
import { logoOn, logosOf, withIcon } from '../../src/shared/look.ts'
import { groundsOf, type Palette, tileOn } from '../../src/shared/palette.ts'
import type { Product } from '../../src/shared/product.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { trimmedLogos } from './brand-style.ts'
import { kept } from './kept.ts'
import { type LogoShape, logoPlace, logoShape } from './logo.ts'
import { outlinesOf } from './outlines.ts'
import { openSvg } from './resvg.ts'
import { stillOf } from './scene.ts'
import type { Typeface } from './typeface.ts'
import { drawable } from './words.ts'

/** Draws the icons of a product; by file name. */
export async function drawIcons(founders: Product): Promise<Record<string, Uint8Array>> {
  const product = withIcon(founders)
  const [{ scheme, palette }] = groundsOf(product)
  const mark = drawLogo(await readFile(logoOn(product, scheme)))
  /** @param part how much of the width the logo takes. */
  const onGround = (size: number, part: number) => {
    const place = (size * (1 - part)) / 2
    return render(size, size, background(size, size, palette) + mark(place, place, size * part))
  }
  // A browser's tab may be light or dark, whatever the logo was made for; of two logos, this is one.
  const isOneOfTwo = logosOf(product).length === 2
  const tile = isOneOfTwo ? palette.ground : (tileOn(product, 'light') ?? tileOn(product, 'dark'))
  const tab = tile
    ? `<rect width="32" height="32" rx="6" fill="${tile}"/>${mark(3, 3, 26)}`
    : mark(0, 0, 32)
  return {
    'favicon.ico': icoOf(await render(32, 32, tab)),
    'apple-touch-icon.png': await onGround(180, 112 / 180),
    'icon-192.png': await onGround(192, 0.72),
    'icon-512.png': await onGround(512, 0.72),
    // A system may cut all but a circle of 80 %, in which this square just fits.
    'icon-maskable.png': await onGround(512, 0.56),
  }
}

/** Draws the pictures of link previews, which have a product's words in one language; by file name. */
export async function drawPreviews(
  product: Product,
  typeface: Typeface,
): Promise<Record<string, Uint8Array>> {
  const [{ scheme, palette }] = groundsOf(product)
  const path = logoOn(product, scheme)
  // As the page has it: without the margins around the drawing.
  const logo = Buffer.from(new Map(await trimmedLogos(product)).get(path) ?? '')
  const mark = drawLogo(logo)
  const shape = logoShape(logo.toString())
  if (!shape) throw new Error(`${path} has no size`)
  const [width, height] = logoPlace(shape, 72)

  const { words, isInTypeface, dir } = catalogueOf(product)
  const drawn = stillOf(product, palette, `data:image/svg+xml;base64,${logo.toString('base64')}`)
  // But for a scene that draws the logo, which nobody mirrors.
  const hasOwnLogo = drawn.includes('<image')
  const isMirrored = dir === 'rtl' && !hasOwnLogo
  // From its corner, into the room of words that cannot be drawn.
  const larger = isInTypeface || hasOwnLogo ? 1 : 1.75
  const left = 1200 * (1 - larger)
  const still = isMirrored
    ? `<g transform="matrix(${-larger} 0 0 ${larger} ${1200 - left} 0)">${drawn}</g>`
    : `<g transform="matrix(${larger} 0 0 ${larger} ${left} 0)">${drawn}</g>`

  /** The picture of a link preview, with a word on it; without one where no font of ours has it. */
  async function social(heading: string) {
    if (product.socialImage) return readFile(product.socialImage)
    if (!isInTypeface) {
      const [width, height] = logoPlace(shape as LogoShape, 200)
      // Where the words would begin; in the middle where there is no scene.
      const side = isMirrored ? 1120 - width : 80
      const logo = mark(drawn ? side : 600 - width / 2, 315 - height / 2, width, height)
      return render(1200, 630, background(1200, 630, palette) + still + logo)
    }
    const texts = [
      shape?.isWordmark
        ? ''
        : line(typeface, product.name, {
            weight: 600,
            x: 80 + width + 24,
            y: 122,
            size: 40,
            width: 632 - width,
            color: palette.text,
          }),
      line(typeface, heading, {
        weight: 600,
        x: 74,
        y: 440,
        size: 150,
        width: 1046,
        color: palette.text,
      }),
      ...inLines(product.pitch).map((text, index) =>
        line(typeface, text, {
          weight: 400,
          x: 80,
          y: 530 + index * 48,
          size: 36,
          width: 1040,
          color: palette.quiet,
        }),
      ),
    ]
    const parts = [
      background(1200, 630, palette),
      mark(80, 72 + (72 - height) / 2, width, height),
      still,
      ...texts,
    ]
    return render(1200, 630, parts.join(''))
  }
  return {
    'social.png': await social(words.heading),
    'social-open.png': await social(words.openHeading),
  }
}

const drawLogo =
  (logo: Buffer) =>
  (x: number, y: number, width: number, height = width) =>
    `<image x="${x}" y="${y}" width="${width}" height="${height}" href="data:image/svg+xml;base64,${logo.toString('base64')}"/>`

interface Place {
  readonly weight: number
  readonly x: number
  /** Of the baseline. */
  readonly y: number
  readonly size: number
  /** What does not fit into this many pixels is set smaller. */
  readonly width: number
  readonly color: string
}

/** A text that is long for one line as two of about the same length. */
function inLines(text: string): string[] {
  const spaces = [...text.matchAll(/\s/g)].map(({ index }) => index)
  if (text.length <= 64 || spaces.length === 0) return [text]
  const middle = text.length / 2
  const at = spaces.reduce((best, one) =>
    Math.abs(one - middle) < Math.abs(best - middle) ? one : best,
  )
  return [text.slice(0, at), text.slice(at + 1)]
}

/** One line of text, or what of it can be drawn. */
function line(
  typeface: Typeface,
  text: string,
  { weight, x, y, size, width, color }: Place,
): string {
  const outlines = outlinesOf(typeface, drawable(typeface, text), weight)
  const scale = Math.min(size / 1000, width / outlines.width)
  return `<g fill="${color}" transform="translate(${x} ${y}) scale(${scale} ${-scale})">${outlines.paths}</g>`
}

function background(width: number, height: number, { ground }: Palette): string {
  return `<rect width="${width}" height="${height}" fill="${ground}"/>`
}

async function render(width: number, height: number, content: string): Promise<Uint8Array> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`
  return kept(['png', svg], async () => (await openSvg(svg)).render().asPng())
}

/** The ICO container around one PNG of 32 px: a 6-byte header and one 16-byte entry. */
function icoOf(png: Uint8Array): Uint8Array {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.set([32, 32, 0, 0, 1, 0, 32, 0], 6)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}
