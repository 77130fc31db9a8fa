import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inCode } from '../../src/product/folders.mjs'
import { escapeHtml } from '../../src/shared/escape-html.ts'
import { logoOn } from '../../src/shared/look.ts'
import { groundsOf, type Palette } from '../../src/shared/palette.ts'
import type { Product } from '../../src/shared/product.ts'
import type { SceneName } from '../../src/shared/scene.ts'
import { fill } from '../../src/shared/sentence-slots.ts'

/** The files of a scene: docs/scenes.md. */
export const SCENE_FILES = {
  about: 'scene.json',
  style: 'scene.css',
  splash: 'splash.html',
  still: 'still.svg',
} as const

/** What a scene says of itself in `scene.json`. */
export interface SceneAbout {
  /** The version of the contract that it keeps. */
  readonly contract: 1
  /** The logo opens at 4.66 s, above the splash, where the scene's figure has shrunk onto its place. */
  readonly logo?: 'opens'
}

/** The name of the product's scene. */
export const sceneOf = ({ scene = 'candlesticks' }: Pick<Product, 'scene'>): SceneName => scene

/** Where a scene's files are; without links, so that a style sheet can be found by it. */
export function sceneFolder(name: SceneName): string {
  return name.startsWith('brand/') ? resolve(name) : inCode(`src/scenes/${name}`)
}

/** Whether a scene asks for the place where the backdrop ends: docs/scenes.md. */
export const readsFoot = (product: Product) =>
  readSceneFile(sceneFolder(sceneOf(product)), 'style').includes('--foot')

/** What a scene without mistakes says of itself. */
export function readAbout(name: SceneName): SceneAbout {
  return JSON.parse(readSceneFile(sceneFolder(name), 'about'))
}

/** A scene's file as it is; nothing where it has none. */
export function readSceneFile(folder: string, file: keyof typeof SCENE_FILES): string {
  const path = join(folder, SCENE_FILES[file])
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** The files of a scene that a page is built from, without folders and what systems leave there. */
export function sceneFiles(name: SceneName): string[] {
  const folder = sceneFolder(name)
  return readdirSync(folder).filter(
    (file) => !file.startsWith('.') && statSync(join(folder, file)).isFile(),
  )
}

/** The splash of a product, with the logo of its first ground; empty for a scene without one. */
export function splashOf(product: Product): string {
  const html = readSceneFile(sceneFolder(sceneOf(product)), 'splash').trim()
  if (!html) return ''
  const name = escapeHtml(product.name)
  const logo = `/${logoOn(product, groundsOf(product)[0].scheme)}`
  const short = html.replace(/>\s+</g, '><').replace('data-quiet=""', 'data-quiet')
  const drawn = fill(short, { name, logo })
  return `<section id="splash" class="splash" aria-label="${name}">${drawn}</section>`
}

/** A scene's still with a palette's colours and a picture of the logo; nothing where it has none. */
export function stillOf(product: Product, palette: Palette, logo: string): string {
  const svg = readSceneFile(sceneFolder(sceneOf(product)), 'still').replace(/<!--[\s\S]*?-->/g, '')
  return fill(svg, { ...palette, logo })
}
