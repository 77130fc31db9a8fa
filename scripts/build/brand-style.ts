import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import type { Product } from '../../src/shared/product.ts'
import { type LogoShape, logoPlace, logoShape } from './logo.ts'

/** Adds to the page's style only what this product's settings need. */
export function brandStyle(product: Product): Plugin {
  return {
    name: 'brand-style',
    enforce: 'pre',
    async transform(style, file) {
      if (!file.endsWith('/src/web/styles/index.css')) return
      this.addWatchFile(product.logo)
      const shape = logoShape(await readFile(product.logo, 'utf8'))
      if (!shape) throw new Error(`${product.logo} has no size`)
      return [style, ...imports(product, shape), settings(product, shape)].join('\n')
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

function settings({ accent }: Product, shape: LogoShape): string {
  const [width, height] = logoPlace(shape, 1)
  const logos = (factor: number) => `calc(var(--logo) * ${factor.toFixed(4)})`
  const all = []
  if (accent) all.push(`--accent:${accent}`)
  if (height !== 1) all.push(`--logo-height:${logos(height)}`)
  if (width !== 1) all.push(`--logo-width:${logos(width)}`)
  return all.length > 0 ? `:root{${all.join(';')}}` : ''
}
