import { readFileSync, statSync } from 'node:fs'
import { type BuildSettings, buildSettings } from '../../src/config/programs.ts'
import { type Reader, readSettings } from '../../src/config/read.ts'
import { productFolder } from '../../src/product/folders.mjs'
import { languagesOf } from '../../src/product/languages.ts'
import product, { productMistakes } from '../../src/product/product.ts'
import { filesOfPicture, logoOn, logosOf, WORDMARK, withIcon } from '../../src/shared/look.ts'
import { accentRemarks } from '../../src/shared/look-mistakes.ts'
import { groundsOf } from '../../src/shared/palette.ts'
import { checkLogo } from './check-logo.ts'
import { findSceneFaults } from './check-scene.ts'
import { logoShape } from './logo.ts'
import { readOwnFiles } from './own-files.ts'
import { findDeadLinks } from './own-links.ts'
import { pictureHead } from './picture-head.ts'
import { sceneOf } from './scene.ts'

/**
 * Checks the product, its logo, its own files and the settings that the page is built for.
 *
 * @param use reads those of one kind of page.
 * @returns these settings, the founder's own files, one sentence for each mistake, and one for each
 *   thing that will not look as it was meant.
 */
export async function readBuildInput(use: (reader: Reader) => BuildSettings = buildSettings) {
  const remarks: string[] = []
  const mistakes = productMistakes()
  if (mistakes.length === 0) {
    for (const setting of ['logo', 'icon'] as const) {
      if (product[setting] === undefined) continue
      const found = await checkLogos(setting)
      mistakes.push(...found.mistakes.map((text) => `product.config.ts: ${setting}: ${text}`))
      remarks.push(...found.remarks.map((text) => `product.config.ts: ${setting}: ${text}`))
    }
    remarks.push(...accentRemarks(product).map((text) => `product.config.ts: ${text}`))
  }
  if (mistakes.length === 0) {
    const faults = await findSceneFaults(sceneOf(product))
    mistakes.push(...faults.map((text) => text.replace(/^scene: /, 'product.config.ts: $&')))
  }
  const picture = mistakes.length === 0 ? product.look?.picture : undefined
  if (picture) {
    const found = filesOfPicture(picture).map(checkPicture)
    mistakes.push(...found.flatMap((one) => one.mistakes))
    remarks.push(...found.flatMap((one) => one.remarks))
  }
  const ownFiles = mistakes.length === 0 ? readOwnFiles(productFolder, product) : undefined
  mistakes.push(...(ownFiles?.mistakes ?? []))
  if (mistakes.length === 0 && product.socialImage)
    mistakes.push(...findPictureMistakes(product.socialImage))
  const read = readSettings(use)
  const settings = 'settings' in read ? read.settings : UNREAD
  if ('mistakes' in read) mistakes.push(...read.mistakes)
  const { publicUrl } = settings
  if (mistakes.length === 0)
    mistakes.push(...findDeadLinks(languagesOf(product), publicUrl, ownFiles?.files.keys() ?? []))
  if (mistakes.length === 0 && product.share && publicUrl === null)
    remarks.push('product.config.ts: share: has no links to pass on while PUBLIC_URL is not set')
  return { settings, ownFiles: ownFiles?.files, mistakes, remarks }
}

/** Where one of them is wrong, and nothing is built. */
const UNREAD: BuildSettings = { publicUrl: null, confirm: false, features: {} }

/** Each file of the logo, or of the icon, on the ground that it stands on. */
async function checkLogos(
  setting: 'logo' | 'icon',
): Promise<Awaited<ReturnType<typeof checkLogo>>> {
  const shown = setting === 'icon' ? withIcon(product) : product
  const missing = logosOf(shown).filter((path) => !isFile(path))
  if (missing.length > 0)
    return { mistakes: missing.map((path) => `there is no file ${path}`), remarks: [] }
  const checked = await Promise.all(
    groundsOf(product).map(({ scheme, palette }) =>
      checkLogo(logoOn(shown, scheme), product.look && palette.ground, setting),
    ),
  )
  const mistakes = new Set(checked.flatMap((one) => one.mistakes))
  const ratios = logosOf(shown).map((path) => logoShape(readFileSync(path, 'utf8'))?.ratio ?? 1)
  const [one = 1, other = one] = ratios
  if (mistakes.size === 0 && Math.abs(one / other - 1) > 0.01)
    mistakes.add(
      `its files have other proportions: the light one is ${one.toFixed(2)} times as wide as high, the dark one ${other.toFixed(2)}`,
    )
  const remarks = new Set(checked.flatMap((one) => one.remarks))
  if (setting === 'logo' && product.icon === undefined && one >= WORDMARK)
    remarks.add('is too wide to be read in a tab; icon can name an SVG that is about square')
  return { mistakes: [...mistakes], remarks: [...remarks] }
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

/** A visitor on a phone fetches it, too. */
const MOST_PICTURE_BYTES = 200_000
/** In pixels a side: a file of a few bytes may ask a browser for more memory than it has. */
const MOST_PIXELS = 4096
/** Of the longer side to the shorter. */
const MOST_PICTURE_RATIO = 3

/** A picture of the product: what a browser could not show, or should not. */
function checkPicture(path: string): { mistakes: string[]; remarks: string[] } {
  const said = (text: string) => `product.config.ts: look: picture: ${path} ${text}`
  const mistake = (text: string) => ({ mistakes: [said(text)], remarks: [] })
  if (!isFile(path)) return mistake('is not there')
  const { size } = statSync(path)
  if (size > MOST_PICTURE_BYTES) return mistake(`has ${size} bytes, ${MOST_PICTURE_BYTES} fit`)
  const head = pictureHead(readFileSync(path))
  if (!head) return mistake('is not an AVIF, WebP or JPEG file')
  const { width, height, moves, hasPlace } = head
  if (moves) return mistake('moves, must be a still picture')
  const shape = `has ${width} by ${height} pixels`
  if (Math.max(width, height) > MOST_PIXELS)
    return mistake(`${shape}, up to ${MOST_PIXELS} a side fit`)
  if (Math.max(width / height, height / width) > MOST_PICTURE_RATIO)
    return mistake(`${shape}, one side may be ${MOST_PICTURE_RATIO} times as long as the other`)
  const place = 'says where it was taken, which every visitor can read: take that out of it'
  return { mistakes: [], remarks: hasPlace ? [said(place)] : [] }
}

/** Link previews are cut or enlarged where the size is another. */
function findPictureMistakes(path: string): string[] {
  const mistake = (text: string) => [`product.config.ts: socialImage: ${text}`]
  if (!isFile(path)) return mistake(`there is no file ${path}`)
  const file = readFileSync(path)
  if (file.length < 24 || file.toString('latin1', 1, 4) !== 'PNG')
    return mistake(`${path} is not a PNG file`)
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  if (width === 1200 && height === 630) return []
  return mistake(`${path} has ${width} by ${height} pixels, must have 1200 by 630`)
}

/** Says every mistake, and ends the build if there is one. */
export function stopAt(mistakes: readonly string[]): void {
  if (mistakes.length === 0) return
  console.error(mistakes.join('\n'))
  process.exit(1)
}
