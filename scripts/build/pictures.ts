import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { Product } from '../../src/shared/product.ts'
import { messages } from '../../src/web/messages.ts'
import { outlinesOf } from './outlines.ts'
import type { Typeface } from './typeface.ts'
import { drawable } from './words.ts'

const fromPackage = (name: string) => readFile(fileURLToPath(import.meta.resolve(name)))

/** Draws every picture that is made of the logo and the product's words; by file name. */
export async function drawPictures(
  product: Product,
  typeface: Typeface,
): Promise<Record<string, Uint8Array>> {
  const [logo] = await Promise.all([
    readFile(product.logo),
    fromPackage('@resvg/resvg-wasm/index_bg.wasm').then(initWasm),
  ])
  const mark = (x: number, y: number, size: number) =>
    `<image x="${x}" y="${y}" width="${size}" height="${size}" href="data:image/svg+xml;base64,${logo.toString('base64')}"/>`

  const texts = await Promise.all([
    line(typeface, product.name, {
      weight: 600,
      x: 176,
      y: 122,
      size: 40,
      width: 560,
      color: LIGHT,
    }),
    line(typeface, messages.heading, {
      weight: 600,
      x: 74,
      y: 440,
      size: 150,
      width: 1046,
      color: LIGHT,
    }),
    line(typeface, product.pitch, {
      weight: 400,
      x: 80,
      y: 530,
      size: 36,
      width: 1040,
      color: QUIET,
    }),
  ])
  const social = [background(1200, 630), mark(80, 72, 72), candles, ...texts]
  return {
    'favicon.ico': icoOf(render(32, 32, mark(0, 0, 32))),
    'apple-touch-icon.png': render(180, 180, background(180, 180) + mark(34, 34, 112)),
    'social.png': render(1200, 630, social.join('')),
  }
}

const LIGHT = '#f4f5f7'
const QUIET = '#a9b0bb'

/** The splash's four sessions, as x, high, top and bottom of the body, and low. */
const candles = [
  { x: 864, high: 94, top: 110, bottom: 158, low: 168, color: '#f2495c' },
  { x: 928, high: 148, top: 158, bottom: 198, low: 212, color: '#f2495c' },
  { x: 992, high: 190, top: 198, bottom: 246, low: 262, color: '#f2495c' },
  { x: 1056, high: 72, top: 82, bottom: 246, low: 258, color: '#2ee6a0' },
]
  .map(
    ({ x, high, top, bottom, low, color }) =>
      `<path fill="${color}" d="M${x} ${top}h40v${bottom - top}h-40zM${x + 18} ${high}h4v${low - high}h-4z"/>`,
  )
  .join('')

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

/** One line of text, or what of it can be drawn. */
async function line(
  typeface: Typeface,
  text: string,
  { weight, x, y, size, width, color }: Place,
): Promise<string> {
  const outlines = await outlinesOf(typeface, drawable(typeface, text), weight)
  const scale = Math.min(size / 1000, width / outlines.width)
  return `<g fill="${color}" transform="translate(${x} ${y}) scale(${scale} ${-scale})">${outlines.paths}</g>`
}

function background(width: number, height: number): string {
  return `<rect width="${width}" height="${height}" fill="#000"/>`
}

function render(width: number, height: number, content: string): Uint8Array {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`
  return new Resvg(svg).render().asPng()
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
