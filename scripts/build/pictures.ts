import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import opentype, { type Font } from 'opentype.js'
import type { Product } from '../../src/shared/product.ts'
import { messages } from '../../src/web/messages.ts'

const fromPackage = (name: string) => readFile(fileURLToPath(import.meta.resolve(name)))

/** Draws every picture that is made of the logo and the product's words; by file name. */
export async function drawPictures(product: Product): Promise<Record<string, Uint8Array>> {
  const [logo, font] = await Promise.all([
    readFile(product.logo),
    fromPackage('@fontsource/geist-sans/files/geist-sans-latin-600-normal.woff').then((file) =>
      opentype.parse(
        file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer,
      ),
    ),
    fromPackage('@resvg/resvg-wasm/index_bg.wasm').then(initWasm),
  ])
  const mark = (x: number, y: number, size: number) =>
    `<image x="${x}" y="${y}" width="${size}" height="${size}" href="data:image/svg+xml;base64,${logo.toString('base64')}"/>`

  return {
    'favicon.svg': logo,
    'favicon.ico': icoOf(render(32, 32, mark(0, 0, 32))),
    'apple-touch-icon.png': render(180, 180, background(180, 180) + mark(34, 34, 112)),
    'social.png': render(
      1200,
      630,
      background(1200, 630) + mark(80, 76, 72) + words(font, product),
    ),
  }
}

function words(font: Font, product: Product): string {
  return (
    line(font, product.name, { x: 176, y: 126, size: 40, width: 944, color: '#f4f5f7' }) +
    line(font, messages.heading, { x: 74, y: 412, size: 148, width: 1046, color: '#f4f5f7' }) +
    line(font, product.pitch, { x: 80, y: 508, size: 36, width: 1040, color: '#a9b0bb' })
  )
}

interface Place {
  readonly x: number
  /** Of the baseline. */
  readonly y: number
  readonly size: number
  /** What does not fit into this many pixels is set smaller. */
  readonly width: number
  readonly color: string
}

/** One line of text as outlines; nothing where the font lacks a letter, rather than empty boxes. */
function line(font: Font, text: string, { x, y, size, width, color }: Place): string {
  if ([...text].some((letter) => font.charToGlyphIndex(letter) === 0)) return ''
  const tracking = { letterSpacing: -0.03 }
  const fitted = Math.min(size, (size * width) / font.getAdvanceWidth(text, size, tracking))
  return `<path fill="${color}" d="${font.getPath(text, x, y, fitted, tracking).toPathData(2)}"/>`
}

function background(width: number, height: number): string {
  return `<rect width="${width}" height="${height}" fill="#08090b"/>`
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
