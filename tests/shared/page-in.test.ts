import { expect, it } from 'vitest'
import { escapeHtml } from '../../src/shared/escape-html.ts'
import { pageIn } from '../../src/shared/page-in.ts'

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

it('reads what is no letter as it stands', () => {
  const page = '<div id="root" data-open="https://a.example/&#9999999;&nothing;">'
  expect(pageIn(page)).toEqual({ page: 'open', url: 'https://a.example/\u{10ffff}&nothing;' })
})
