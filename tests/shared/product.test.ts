import { expect, it } from 'vitest'
import product from '../../product.config.ts'
import { accentOf } from '../../src/shared/palette.ts'
import { findProductMistakes } from '../../src/shared/product.ts'

it('has nothing to say about the product that comes with it', () => {
  expect(findProductMistakes({ ...product })).toEqual([])
})

it('has nothing to say about an accent, links and all other settings that are as they should be', () => {
  const links = { Privacy: 'https://example.com/privacy?a=b', Impressum: '/impressum' }
  const postalAddress = 'Meridian Ltd, 1 Market Street, London EC2A 1AA'
  const opensAt = { at: '2027-01-12T09:00', zone: 'Europe/Berlin' }
  const look = { light: '#fbf5ea', dark: '#17120c', button: 'accent' }
  const logo = { light: 'brand/logo.svg', dark: 'brand/logo-dark.svg' }
  const whole = { ...product, accent: '#ff7a1a', links, logo, look, opensAt, postalAddress }
  expect(findProductMistakes(whole)).toEqual([])
  const others = { retain: '6 months after opening', socialImage: 'brand/social.png' }
  for (const scene of ['horizon', 'brand/scene'])
    expect(findProductMistakes({ ...product, ...others, scene, icon: 'brand/icon.svg' })).toEqual(
      [],
    )
})

it('takes what a feature adds where it is there, and says by its name what is wrong', () => {
  const share = { findMistakes: (value: unknown) => (value === true ? [] : ['must be true']) }
  expect(findProductMistakes({ ...product, share: true }, { share })).toEqual([])
  expect(findProductMistakes({ ...product, share: 1 }, { share })).toEqual(['share: must be true'])
  expect(findProductMistakes({ ...product, share: true })).toEqual([
    'share: is not a setting we know: docs/product.md has them all',
  ])
})

it('takes a picture with a text for each language, and says what is wrong with one', () => {
  const mistakesOf = (picture: object, more: object = {}) =>
    findProductMistakes({ ...product, ...more, look: { ground: '#fbf5ea', picture } })
  const file = 'brand/bread.avif'
  const two = { languages: { de: {} } }
  expect(mistakesOf({ file, alt: 'Bread' })).toEqual([])
  expect(
    mistakesOf({ file, small: 'brand/b.webp', alt: { en: 'Bread', de: 'Brot' } }, two),
  ).toEqual([])
  expect(mistakesOf({ file })).toEqual(['look: picture: alt: is missing'])
  expect(mistakesOf({ file, alt: 'Bread' }, two)).toEqual([
    'look: picture: alt: en: is missing',
    'look: picture: alt: de: is missing',
  ])
  for (const wrong of [
    { file: 'brand/bread.png', alt: 'Bread' },
    { file: '../bread.avif', alt: 'Bread' },
    { file, small: 'https://example.com/b.avif', alt: 'Bread' },
    { file, alt: 'Bread', width: 3 },
    'brand/bread.avif',
  ])
    expect(mistakesOf(wrong as object)).toEqual([
      expect.stringMatching(/^look: picture: must be like \{ file: /),
    ])
})

it('takes what just fits', () => {
  expect(findProductMistakes({ ...product, name: 'N'.repeat(40) })).toEqual([])
  const links = { a: '/a', b: '/b', c: '/c', d: '/d', e: '/e' }
  expect(findProductMistakes({ ...product, links })).toEqual([])
})

it('has the accent of the splash, where none is chosen', () => {
  expect(accentOf({})).toBe('#2ee6a0')
  expect(accentOf({ accent: '#ff7a1a' })).toBe('#ff7a1a')
})

it.each<[string, Record<string, unknown>, string]>([
  ['a missing name', { name: undefined }, 'name: is missing'],
  ['a pitch of spaces', { pitch: '  ' }, 'pitch: is missing'],
  ['a name that is too long', { name: 'N'.repeat(41) }, 'name: has 41 characters, 40 fit'],
  ['a line break', { description: 'a\nb' }, 'description: must be one line of plain text'],
  ['a space in front', { name: ' Bell' }, 'name: starts or ends with a space'],
  [
    'a slash in the appId',
    { appId: 'a/b' },
    'appId: may have only letters, digits, "-" and "_", since it is a part of a collection path',
  ],
  ['an appId that is no text', { appId: {} }, 'appId: must be a text in quotes'],
  [
    'a logo in another folder brand',
    { logo: 'my/brand/logo.svg' },
    'logo: must be an .svg file in the folder brand',
  ],
  [
    'a logo that is no SVG',
    { logo: 'brand/logo.svg.png' },
    'logo: must be an .svg file in the folder brand',
  ],
  [
    'an accent in words',
    { accent: 'orange' },
    'accent: is "orange", must be a colour like #2ee6a0',
  ],
  [
    'a scene that there is not',
    { scene: 'candle' },
    `scene: is "candle", must be one of 'candlesticks', 'horizon', 'mark', 'none', or a folder like 'brand/scene'`,
  ],
  ['an address of no words', { postalAddress: ' ' }, 'postalAddress: is missing'],
  ...[null, 'https://example.com', 7].map((links): [string, Record<string, unknown>, string] => [
    `links that are ${links}`,
    { links },
    "links: must be like { Privacy: 'https://example.com/privacy' }",
  ]),
  ['a link without words', { links: { ' ': '/x' } }, 'links: one has no words to be shown in'],
  ...['http://example.com', 'javascript:alert(1)', '/\\example.com', '/two words', 7].map(
    (target): [string, Record<string, unknown>, string] => [
      `a link to ${target}`,
      { links: { Privacy: target } },
      'links: "Privacy": must lead to an https:// address or a path like /privacy',
    ],
  ),
  [
    'too many links',
    { links: { a: '/a', b: '/b', c: '/c', d: '/d', e: '/e', f: '/f' } },
    'links: has 6, 5 fit',
  ],
  ...[null, '2027-01-12T09:00', { at: '2027-01-12T09:00' }, { at: 1, zone: 'UTC' }].map(
    (opensAt): [string, Record<string, unknown>, string] => [
      `an opening at ${JSON.stringify(opensAt)}`,
      { opensAt },
      "opensAt: must be like { at: '2027-01-12T09:00', zone: 'Europe/Berlin' }",
    ],
  ),
  [
    'an opening in no zone',
    { opensAt: { at: '2027-01-12T09:00', zone: 'CET' } },
    'opensAt: zone: is "CET", must be the name of a time zone, like Europe/Berlin, America/New_York or UTC',
  ],
  [
    'an accent that is hard to read on its own ground',
    { accent: '#2ee6a0', look: { ground: '#ffffff' } },
    'accent: #2ee6a0 on #ffffff has a contrast of 1.6, text needs 4.5; the nearest that passes is #00875b',
  ],
  [
    'a look of no colour, of which its accent says nothing',
    { accent: '#2ee6a0', look: { ground: 'white' } },
    'look: ground: is "white", must be a colour like #fbf5ea',
  ],
  [
    'a setting nobody knows',
    { colour: 'red' },
    'colour: is not a setting we know: docs/product.md has them all',
  ],
])('says in one sentence what is wrong: %s', (_, wrong, sentence) => {
  expect(findProductMistakes({ ...product, ...wrong })).toEqual([sentence])
})
