import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { AA, AAA, CLEAR, contrast, EDGES, isLight } from '../../src/shared/colour.ts'
import { brandFilesOf, type Look, logoOn, logosOf, withIcon } from '../../src/shared/look.ts'
import {
  accentRemarks,
  findAccentMistakes,
  findLogoMistakes,
  findLookMistakes,
} from '../../src/shared/look-mistakes.ts'
import { accentOf, groundsOf, paletteOn, tileOn } from '../../src/shared/palette.ts'

const accents = [
  ...['#ff7a1a', '#b8500c', '#f0b45a', '#ffd60a', '#2ee6a0', '#0a5c36', '#7dd3fc', '#1d4ed8'],
  ...['#1a2b5c', '#a78bfa', '#7c3aed', '#ff2d78', '#800000', '#f2495c', '#808080', '#c0ffee'],
  ...['#000000', '#ffffff', '#00ff00', '#ff00ff'],
]
const grounds = [
  ...['#000000', '#17120c', '#14110e', '#0b1a2e', '#2b0f1f', '#173023', '#1b1b1b', '#3a3a3a'],
  ...['#ffffff', '#fbf5ea', '#faf7f2', '#ffe14d', '#ffc9c9', '#e6f4ea', '#dbe7ff', '#f2f2f2'],
]

describe('the colours of a page', () => {
  it.each(grounds)('can all be read on %s, whatever the accent', (ground) => {
    expect(findLookMistakes({ ground })).toEqual([])
    for (const accent of accents) {
      const of = paletteOn(ground, accent)
      for (const field of [ground, of.raised]) {
        for (const name of ['text', 'quiet'] as const)
          expect(contrast(of[name], field), `${name} on ${field}`).toBeGreaterThanOrEqual(AAA)
        for (const name of ['faint', 'redText'] as const)
          expect(contrast(of[name], field), `${name} on ${field}`).toBeGreaterThanOrEqual(CLEAR)
        expect(contrast(of.edge, field), `edge on ${field}`).toBeGreaterThanOrEqual(EDGES)
      }
      // Also the button that is filled with the accent, whose words have the ground's colour.
      expect(contrast(of.accent, ground), `${accent} on ${ground}`).toBeGreaterThanOrEqual(CLEAR)
      expect(contrast(of.text, of.line), 'a button that waits').toBeGreaterThanOrEqual(AA)
      for (const name of ['green', 'red'] as const)
        expect(contrast(of[name], ground), name).toBeGreaterThanOrEqual(EDGES)
    }
  })

  it('are those of the style sheet on black, where nothing else is set', () => {
    const [{ scheme, palette }, ...others] = groundsOf({})
    expect([scheme, others]).toEqual(['dark', []])
    const tokens = readFileSync('src/shared/styles/tokens.css', 'utf8')
    const said = (name: string) => new RegExp(`--${name}: (#\\w+);`).exec(tokens)?.[1]
    for (const name of ['raised', 'line', 'edge', 'text', 'quiet', 'green', 'red'] as const)
      expect(palette[name], name).toBe(said(name))
    expect([palette.redText, palette.accent]).toEqual([said('red-text'), said('green')])
  })

  it('are in the hue of the ground: warm on cream, grey on grey', () => {
    const { text, raised } = paletteOn('#fbf5ea', '#b8500c')
    expect(contrast(raised, '#000000')).toBeGreaterThan(contrast('#fbf5ea', '#000000'))
    const part = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
    for (const colour of [text, raised]) expect(part(colour, 1)).toBeGreaterThan(part(colour, 5))
    const grey = paletteOn('#f2f2f2', '#b8500c')
    for (const colour of [grey.text, grey.quiet, grey.edge])
      expect(part(colour, 1)).toBe(part(colour, 5))
  })

  it.each(grounds)(
    'have a hairline that is darker than paper, and lighter than ink: on %s',
    (ground) => {
      const apart = (colour: string) => contrast(colour, isLight(ground) ? '#ffffff' : '#000000')
      expect(apart(paletteOn(ground, '#b8500c').line)).toBeGreaterThan(apart(ground))
    },
  )

  it('are one set for one ground, and two for two: first the light one', () => {
    const two = groundsOf({ look: { light: '#ffffff', dark: '#000000' }, accent: '#ff7a1a' })
    expect(two.map(({ scheme }) => scheme)).toEqual(['light', 'dark'])
    expect(two.map(({ palette }) => palette.ground)).toEqual(['#ffffff', '#000000'])
    expect(two[1]?.palette.accent).toBe('#ff7a1a')
    expect(groundsOf({ look: { ground: '#fbf5ea' } }).map(({ scheme }) => scheme)).toEqual([
      'light',
    ])
    expect(groundsOf({ look: { button: 'accent' } })[0].palette.ground).toBe('#000000')
  })
})

describe('an accent', () => {
  it('is refused where it cannot be read, with the nearest that can', () => {
    expect(findAccentMistakes('#f0b45a', { ground: '#fbf5ea' })).toEqual([
      'accent: #f0b45a on #fbf5ea has a contrast of 1.7, text needs 4.5; the nearest that passes is #996700',
    ])
  })

  it('that is refused is never said to have what it needs', () => {
    for (const accent of accents)
      for (const ground of grounds)
        expect(String(findAccentMistakes(accent, { ground }))).not.toContain('contrast of 4.5')
  })

  it('that can be read on one of two grounds is another on the other, and that is said', () => {
    const look: Look = { light: '#fbf5ea', dark: '#17120c' }
    expect(findAccentMistakes('#ff7a1a', look)).toEqual([])
    const [remark, ...others] = accentRemarks({ accent: '#ff7a1a', look })
    expect(others).toEqual([])
    expect(remark).toMatch(
      /^accent: on #fbf5ea it is #\w{6}, which is darker: #ff7a1a has a contrast of 2\.\d there, text needs 4\.5$/,
    )
    expect(accentRemarks({ look })).toEqual([])
    expect(accentRemarks({ accent: '#ff7a1a' })).toEqual([])
  })

  it('that can be read on neither is refused, with the nearest on either', () => {
    const look: Look = { light: '#b5b5b5', dark: '#484848' }
    expect(findLookMistakes(look)).toEqual([])
    expect(findAccentMistakes('#808080', look)).toEqual([
      expect.stringMatching(/^accent: #808080 on #484848 .*; the nearest that passes is #/),
    ])
  })

  it('is readable on any ground that it is asked for', () => {
    expect(accentOf({ accent: '#b8500c' })).toBe('#b8500c')
    expect(contrast(accentOf({ accent: '#b8500c' }, '#000000'), '#000000')).toBeGreaterThan(AA)
  })
})

const FORM = expect.stringMatching(/^look: must be like \{ ground: /)

it.each<[unknown, unknown]>([
  [null, FORM],
  ['#fbf5ea', FORM],
  [['#fbf5ea'], FORM],
  [{}, FORM],
  [{ light: '#ffffff' }, FORM],
  [{ ground: '#ffffff', dark: '#000000' }, FORM],
  [{ ground: 'cream' }, 'look: ground: is "cream", must be a colour like #fbf5ea'],
  [
    { light: '#17120c', dark: '#000000' },
    'look: light: #17120c is dark, must be a light colour like #fbf5ea',
  ],
  [
    { light: '#ffffff', dark: '#fbf5ea' },
    'look: dark: #fbf5ea is light, must be a dark colour like #17120c',
  ],
  [
    { ground: '#ffffff', shade: 1 },
    'look: shade: is not a setting we know; ground, light, dark, button, type and picture are',
  ],
  [{ type: 'Comic Sans' }, `look: type: is "Comic Sans", can only be 'serif'`],
  [{ button: 'red' }, `look: button: is "red", can only be 'accent'`],
  [
    { ground: '#808080' },
    expect.stringMatching(
      /^look: ground: text on #808080 has too little contrast, it needs 7; the nearest that passes is #9\w{5}$/,
    ),
  ],
])('says in one sentence what is wrong with the look %j', (look, sentence) => {
  expect(findLookMistakes(look)).toEqual([sentence])
})

it('a logo brings its ground along where it was not made for the other kind', () => {
  const logo = 'brand/a.svg'
  const paper = { logo, look: { ground: '#fbf5ea' } }
  expect([tileOn(paper, 'light'), tileOn(paper, 'dark')]).toEqual([undefined, '#fbf5ea'])
  expect(tileOn({ logo, look: { light: '#fbf5ea', dark: '#17120c' } }, 'dark')).toBe(undefined)
  expect([tileOn({ logo }, 'light'), tileOn({ logo }, 'dark')]).toEqual([undefined, undefined])
})

it('an icon stands for the logo where there is room for a square alone, if there is one', () => {
  const logo = 'brand/wordmark.svg'
  expect(withIcon({ logo, icon: 'brand/icon.svg' }).logo).toBe('brand/icon.svg')
  expect(withIcon({ logo }).logo).toBe(logo)
  expect(brandFilesOf({ logo, icon: 'brand/icon.svg' })).toEqual([logo, 'brand/icon.svg'])
  expect(brandFilesOf({ logo })).toEqual([logo])
})

it('a logo is one file, or one for light and one for dark grounds', () => {
  expect(logosOf({ logo: 'brand/a.svg' })).toEqual(['brand/a.svg'])
  const logo = { light: 'brand/a.svg', dark: 'brand/b.svg' }
  expect(logosOf({ logo })).toEqual(['brand/a.svg', 'brand/b.svg'])
  expect([logoOn({ logo }, 'dark'), logoOn({ logo: 'brand/a.svg' }, 'dark')]).toEqual([
    'brand/b.svg',
    'brand/a.svg',
  ])
  expect(findLogoMistakes(logo)).toEqual([])
  expect(findLogoMistakes(7, 'icon')).toEqual([
    "icon: must be an .svg file in the folder brand, or like { light: 'brand/icon.svg', dark: 'brand/icon-dark.svg' }",
  ])
  const wrongs = [7, {}, { light: 'brand/a.svg' }, { ...logo, dark: '../b.svg' }, { ...logo, x: 1 }]
  for (const wrong of wrongs)
    expect(findLogoMistakes(wrong), JSON.stringify(wrong)).toEqual([
      "logo: must be an .svg file in the folder brand, or like { light: 'brand/logo.svg', dark: 'brand/logo-dark.svg' }",
    ])
})
