import { describe, expect, it } from 'vitest'
import { elementsIn, pageIn } from '../../src/checks/elements.ts'
import { escapeHtml } from '../../src/shared/escape-html.ts'

it.each(['<a"', "<a '", '<!--', '<script', '<script>', '<a x="', '&#', '<a>', '<p><b>', '<form>'])(
  'is not made slow by any page: %s',
  (part) => {
    const began = performance.now()
    const half = part.repeat(1_000_000 / part.length)
    elementsIn(half + '</i>'.repeat(250_000))
    expect(performance.now() - began).toBeLessThan(5000)
  },
)

describe('which of our pages one is', () => {
  it.each(['https://app.example.com/', `https://app.example.com/?a='1'&b="><i>&amp;`])(
    'knows the open page, and reads its button to %s as it was written',
    (url) => {
      const page = `<body><div id="root" data-open="${escapeHtml(url)}"><div>`
      expect(pageIn(page)).toEqual({ page: 'open', url })
      const named = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
      const other = `<div id="root" data-open="${named.replaceAll('>', '&gt;')}">`
      expect(pageIn(other)).toEqual({ page: 'open', url })
    },
  )

  it('tells the coming-soon page from everything else', () => {
    expect(pageIn('<div id="root"><div class="page">')).toEqual({ page: 'coming-soon' })
    for (const other of ['', '<h1>Parked</h1>', '<div id="root" data-outcome="failed">'])
      expect(pageIn(other)).toEqual({ page: 'other' })
  })

  it('reads what is no letter as a sign that stands for none', () => {
    const page = '<div id="root" data-open="https://a.example/&#9999999;&nothing;">'
    expect(pageIn(page)).toEqual({ page: 'open', url: 'https://a.example/\ufffd&nothing;' })
  })
})
