import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import type { Product } from '../../src/shared/product.ts'
import { type LogoShape, logoPlace, logoShape } from './logo.ts'

/** Adds to the style of the page, and of the desk, only what this product's settings need. */
export function brandStyle(product: Product): Plugin {
  return {
    name: 'brand-style',
    enforce: 'pre',
    async transform(style, file) {
      const isDesk = file.endsWith('/src/desk/styles/index.css')
      if (!isDesk && !file.endsWith('/src/web/styles/index.css')) return
      this.addWatchFile(product.logo)
      const shape = logoShape(await readFile(product.logo, 'utf8'))
      if (!shape) throw new Error(`${product.logo} has no size`)
      const more = isDesk ? deskImports(shape) : imports(product, shape)
      return [style, ...more, settings(product, shape)].join('\n')
    },
  }
}

function imports({ links, opensAt }: Product, { isCandle, isWordmark }: LogoShape): string[] {
  const files = []
  if (!isCandle) files.push('hand-over')
  if (isWordmark) files.push('wordmark')
  if (links) files.push('footer')
  if (opensAt) files.push('countdown')
  return files.map((file) => `@import "../${file}.css";`)
}

function deskImports({ isWordmark }: LogoShape): string[] {
  return isWordmark ? ['@import "./wordmark.css";'] : []
}

function settings({ accent }: Product, shape: LogoShape): string {
  const [width, height] = logoPlace(shape, 1)
  const logos = (factor: number) => `calc(var(--logo) * ${factor.toFixed(4)})`
  const all = []
  if (accent) all.push(`--accent:${accent}`)
  if (height !== 1) all.push(`--logo-height:${logos(height)}`)
  if (width !== 1) all.push(`--logo-width:${logos(width)}`)
  return all.length > 0 ? `:root{${all.join(';')}}` : ''
}
