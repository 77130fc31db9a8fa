import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import product from '../product.config.ts'
import type { Product } from '../src/shared/product.ts'
import { copyProject } from './project-copy.ts'

/** Other people's products, as unlike ours and each other as they come. */
export const products = {
  /** A figure for a logo, a pitch of two lines with an apostrophe, everything that may be set. */
  kestrel: {
    name: 'Kestrel',
    pitch:
      "The trader's perch above every market: hover over all of your accounts, see what moves first, and strike once.",
    description: "Kestrel is the trader's perch above every market.",
    logo: 'brand/kestrel.svg',
    emailPlaceholder: 'you@example.com',
    appId: 'kestrel',
    accent: '#ff7a1a',
    links: {
      Privacy: 'https://example.com/privacy',
      Imprint: '/imprint',
      Terms: 'https://example.com/terms',
    },
    postalAddress: 'Kestrel Markets GmbH, Falkenstraße 7, 20095 Hamburg, Germany',
  },
  /** A long name, and a logo that says it by itself, four times as wide as high. */
  'northern-lights': {
    name: 'Northern Lights Portfolio Terminal',
    pitch: 'Every holding, every market, one quiet screen.',
    description: 'Northern Lights Portfolio Terminal shows every holding on one quiet screen.',
    logo: 'brand/northern-lights.svg',
    emailPlaceholder: 'you@example.com',
    appId: 'northern-lights',
    accent: '#a78bfa',
  },
  /** Words in another alphabet, and a logo higher than wide. */
  polaris: {
    name: 'Полярис',
    pitch: 'Единый терминал для современных трейдеров и инвесторов.',
    description: 'Полярис — единый терминал для современных трейдеров и инвесторов.',
    logo: 'brand/polaris.svg',
    emailPlaceholder: 'vy@example.com',
    appId: 'polaris',
    accent: '#7dd3fc',
    links: { 'Политика конфиденциальности': '/privacy', Реквизиты: '/imprint' },
  },
  /** A logo that can hardly be seen on black. */
  obsidian: { ...product, name: 'Obsidian', logo: 'brand/obsidian.svg', appId: 'obsidian' },
} satisfies Record<string, Product>

/** Copies the project into an empty folder, as that product's own. */
export function copyProduct(root: string, name: keyof typeof products): void {
  copyProject(root, products[name])
  copyFileSync(
    join(import.meta.dirname, 'products', `${name}.svg`),
    join(root, products[name].logo),
  )
}
