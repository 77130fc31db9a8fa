/** @module-tag thorough */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import product from '../../product.config.ts'
import { checkLogo } from '../../scripts/build/check-logo.ts'
import { readBuildInput } from '../../scripts/build/input.ts'
import { trimLogos } from '../../scripts/build/trim-logo.ts'
import { logosOf } from '../../src/shared/look.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

it('a build names every mistake at once, and leaves nothing half-built', () => {
  const root = tempDir()
  copyProject(root, { ...product, name: '', appId: 'a b' })
  const { status, stderr } = buildProject(root, { PUBLIC_URL: 'example.com/page' })
  expect(status).toBe(1)
  expect(stderr.trim().split('\n')).toEqual([
    'product.config.ts: name: is missing',
    expect.stringContaining('product.config.ts: appId:'),
    expect.stringContaining('PUBLIC_URL: is "example.com/page", must be'),
  ])
  expect(existsSync(join(root, 'dist'))).toBe(false)

  writeFileSync(join(root, 'product.config.ts'), 'export const product = {}')
  const without = buildProject(root)
  expect(without.status).toBe(1)
  expect(without.stderr.trim()).toBe(
    'product.config.ts: has no product: it must end in `export default product`',
  )
})

describe('a build says in one line, before it makes anything,', () => {
  /** What a build reads of this product, in a folder with our logo. */
  async function inputOf(changes: object, logo?: string, settings: Record<string, string> = {}) {
    const root = tempDir()
    cpSync('brand', join(root, 'brand'), { recursive: true })
    for (const folder of ['folder.svg', 'a.png']) mkdirSync(join(root, 'brand', folder))
    if (logo) writeFileSync(join(root, String(logosOf(product)[0])), logo)
    const before = { cwd: process.cwd(), product: { ...product } }
    onTestFinished(() => {
      process.chdir(before.cwd)
      for (const name of Object.keys(product)) Reflect.deleteProperty(product, name)
      Object.assign(product, before.product)
    })
    process.chdir(root)
    Object.assign(product, changes)
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    return await readBuildInput()
  }

  const mistakesOf = async (...[changes, logo, settings]: Parameters<typeof inputOf>) =>
    (await inputOf(changes, logo, settings)).mistakes

  it.each([
    ['no language', { language: null }, 'language: is "null", must be one of en, de, '],
    ['no logo', { logo: 'brand/nowhere.svg' }, 'logo: there is no file brand/nowhere.svg'],
    ['no icon', { icon: 'brand/nowhere.svg' }, 'icon: there is no file brand/nowhere.svg'],
    [
      'a folder for a logo',
      { logo: 'brand/folder.svg' },
      'logo: there is no file brand/folder.svg',
    ],
    [
      'no picture',
      { look: { picture: { file: 'brand/bread.avif', alt: 'Bread' } } },
      'look: picture: brand/bread.avif is not there',
    ],
    ['a folder for a picture', { socialImage: 'brand/a.png' }, 'socialImage: there is no file'],
    [
      'no scene',
      { scene: 'brand/nowhere' },
      'scene: there is no folder brand/nowhere: docs/scenes',
    ],
  ])('what is wrong with %s', async (_, wrong, line) => {
    expect(await mistakesOf(wrong)).toEqual([expect.stringContaining(`product.config.ts: ${line}`)])
  })

  it('which accent would do, where one cannot be read', async () => {
    expect(await mistakesOf({ accent: '#1a2b5c' })).toEqual([
      expect.stringMatching(/^product.config.ts: accent: .* the nearest that passes is #5d73ab$/),
    ])
  })

  it.each([
    [
      'is no SVG',
      'GIF89a',
      `product.config.ts: logo: ${product.logo} is not an SVG that can be drawn`,
    ],
    [
      'has no size',
      '<svg xmlns="http://www.w3.org/2000/svg"><path fill="#fff" d="M0 0h9v9z"/></svg>',
      `product.config.ts: logo: ${product.logo} has neither a viewBox nor a width and a height`,
    ],
  ])('that a logo %s', async (_, logo, line) => {
    expect(await mistakesOf({}, logo)).toEqual([line])
  })

  it.each([
    [
      {},
      'remarks',
      'logo: is too wide to be read in a tab; icon can name an SVG that is about square',
    ],
    [
      { icon: 'brand/logo.svg' },
      'mistakes',
      'icon: brand/logo.svg is at least twice as wide as high, must be about square',
    ],
  ])('that a wordmark is no icon: %j', async (own, kind, line) => {
    const wordmark =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 9"><path fill="#fff" d="M0 0h90v9z"/></svg>'
    const found = { mistakes: [], remarks: [], [kind]: [`product.config.ts: ${line}`] }
    expect(await inputOf(own, wordmark)).toMatchObject(found)
  })
})

describe('of a logo', () => {
  const files = `logo: { light: 'brand/….svg', dark: 'brand/….svg' } names a file for each`
  const whatToDo = `give them a colour that can, or ${files}`
  const svg = (content: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`

  it.each([
    ['text in it is said', '<text y="9" fill="#fff">ZB</text>', /^holds text, which icons/],
    ['a dark one is said', '<path fill="#234" d="M0 0h9v9z"/>', /^is dark/],
    ['a faint one is said', '<path fill="#fff" opacity=".2" d="M0 0h9v9z"/>', /^is dark/],
    ['a light part is enough', '<path d="M0 0h9v9z"/><path fill="#fff" d="M0 0h2v2z"/>', undefined],
  ])('%s', async (_, content, remark) => {
    const file = join(tempDir(), 'logo.svg')
    writeFileSync(file, svg(content))
    const { mistakes, remarks } = await checkLogo(file)
    expect(mistakes).toEqual([])
    expect(remarks).toEqual(remark ? [expect.stringMatching(remark)] : [])
  })

  it('a part that ends in the ground and is lost there is said, and an eye within a face is not', async () => {
    const file = join(tempDir(), 'logo.svg')
    const remarksOn = async (ground: string, part: string) => {
      const bird = `<circle cx="24" cy="24" r="16" fill="#d9531e"/>${part}`
      writeFileSync(
        file,
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">${bird}</svg>`,
      )
      return (await checkLogo(file, ground)).remarks
    }
    const beak = '<path fill="#2a1208" d="M39 21l6 3-6 3z"/>'
    const eye = '<circle cx="30" cy="20" r="3" fill="#151110"/>'
    expect(await remarksOn('#151110', beak)).toEqual([
      `${file} has parts that cannot be seen on #151110: ${whatToDo}`,
    ])
    expect(await remarksOn('#fcf9f4', beak)).toEqual([])
    expect(await remarksOn('#151110', eye)).toEqual([])
  })

  it('only the drawing is left, both of two are cut alike, and ours is not', async () => {
    const square = (at: number, size: number) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 0 48 48"><path d="M${at} ${at}h${size}v${size}h-${size}z"/></svg>`
    const [one = '', other = ''] = await trimLogos([square(12, 12), square(18, 18)])
    for (const svg of [one, other])
      expect(svg).toMatch(/^<svg viewBox="12 12 24 24" xmlns="[^"]*"><path/)
    const bare =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    const candle = readFileSync('brand/logo.svg', 'utf8')
    for (const whole of [bare, candle]) expect(await trimLogos([whole])).toEqual([whole])
  })

  it('that vanishes on the ground of its look is refused, and a clear one is not', async () => {
    const file = join(tempDir(), 'logo.svg')
    const mistakesOn = async (colour: string, ground: string) => {
      writeFileSync(file, svg(`<path fill="${colour}" d="M0 0h9v9z"/>`))
      return (await checkLogo(file, ground)).mistakes
    }
    expect(await mistakesOn('#000', '#fbf5ea')).toEqual([])
    expect(await mistakesOn('#ff7a1a', '#fbf5ea')).toEqual([])
    expect(await mistakesOn('#fff', '#fbf5ea')).toEqual([
      `${file} cannot be seen on #fbf5ea; ${files}`,
    ])
    expect(await mistakesOn('#1b1b1b', '#17120c')).toHaveLength(1)
    writeFileSync(
      file,
      svg('<path fill="#b8500c" d="M0 0h5v9H0z"/><path fill="#fff" d="M5 0h4v9H5z"/>'),
    )
    expect(await checkLogo(file, '#fbf5ea')).toEqual({
      mistakes: [],
      remarks: [`${file} has parts that cannot be seen on #fbf5ea: ${whatToDo}`],
    })
  })
})
