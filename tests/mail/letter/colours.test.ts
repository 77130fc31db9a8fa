import { expect, it } from 'vitest'
import { letterColours } from '../../../src/mail/letter/colours.ts'
import { layout } from '../../../src/mail/letter/layout.ts'
import { AA, AAA, contrast } from '../../../src/shared/colour.ts'
import type { Coloured } from '../../../src/shared/look.ts'

const logo = 'brand/logo.svg'
const looks: Coloured[] = [
  { logo },
  { logo, accent: '#1a2b5c' },
  { logo, accent: '#b8500c', look: { ground: '#fbf5ea' } },
  { logo, accent: '#ff7a1a', look: { ground: '#17120c' } },
  { logo, accent: '#ff7a1a', look: { light: '#fbf5ea', dark: '#17120c' } },
]

it.each(looks)('a letter can be read in light and in dark: $look', (product) => {
  for (const of of Object.values(letterColours(product))) {
    for (const ground of [of.ground, of.paper]) {
      expect(contrast(of.text, ground)).toBeGreaterThanOrEqual(AAA)
      expect(contrast(of.quiet, ground)).toBeGreaterThanOrEqual(AA)
    }
    for (const ground of [of.paper, of.ink])
      expect(contrast(of.accent, ground)).toBeGreaterThanOrEqual(AA)
    expect(contrast(of.text, of.code)).toBeGreaterThanOrEqual(AAA)
  }
})

it('a letter has the grounds of its look, and else those of every letter', () => {
  const [none, , paper, night, both] = looks.map((one) => {
    const { light, dark } = letterColours(one)
    return [light.ground, dark.ground]
  })
  expect(none).toEqual(['#f2f3f5', '#08090b'])
  expect(paper).toEqual(['#fbf5ea', '#08090b'])
  expect(night).toEqual(['#f2f3f5', '#17120c'])
  expect(both).toEqual(['#fbf5ea', '#17120c'])
})

it('a logo that was made for the other ground brings that along', () => {
  const [none, , paper, night, both] = looks.map((one) => {
    const { light, dark } = letterColours(one)
    return [light.tile, dark.tile]
  })
  expect([none, both]).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ])
  expect(paper).toEqual([undefined, '#fbf5ea'])
  expect(night).toEqual(['#17120c', undefined])
  const two = { ...(looks[4] as Coloured), logo: { light: logo, dark: 'brand/night.svg' } }
  const colours = letterColours(two)
  expect(colours.dark.tile).toBe('#fbf5ea')
  const said = { subject: 's', preview: '', name: 'n', body: '', footer: '' }
  const html = layout({ ...said, colours, logo: 'cid:logo' })
  expect(html).toContain('.logo { background:#fbf5ea;')
  expect(html).toContain('<img src="cid:logo" width="32" height="32" alt="" class="logo"')
})

it('a logo that was made for a dark ground has none of its own in a dark letter', () => {
  const said = { subject: 's', preview: '', name: 'n', body: '', footer: '', logo: 'cid:logo' }
  const html = layout({ ...said, colours: letterColours(looks[3] as Coloured) })
  expect(html).toMatch(/class="logo" style="[^"]*background:#17120c/)
  expect(html).toContain('.logo { background:none !important;padding:0 !important; }')
})
