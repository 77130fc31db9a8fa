import { describe, expect, it } from 'vitest'
import { elementsIn, pageIn } from '../../src/checks/elements.ts'
import { escapeHtml } from '../../src/shared/escape-html.ts'

it('reads the forms of a page with their fields, and none of a comment or of a script', () => {
  const elements = elementsIn(`<!-- <form action=no> --><script>"<form action='no'>"</script>
<FORM Action="https://example.com/join?a=1&amp;b=2" method=POST>
<label>A <b>b</b> <input name='email' required data-x="a > b"></label></FORM>
<input name=outside><form><form action=inner><input name=within></form><input name=after>`)
  const [first, second, inner] = elements.filter(({ name }) => name === 'form')
  expect(first?.attributes).toEqual({
    action: 'https://example.com/join?a=1&b=2',
    method: 'POST',
  })
  const namesIn = (form: typeof first) =>
    elements.filter((one) => one.form === form).flatMap(({ attributes }) => attributes.name ?? [])
  expect(namesIn(first)).toEqual(['email'])
  expect(namesIn(undefined)).toEqual(['outside', 'after'])
  // A browser takes no form within another, and its end ends the outer one.
  expect(inner?.form).toBe(second)
  expect(namesIn(second)).toEqual(['within'])
})

it.each(['<a"', "<a '", '<!--', '<script', '<script>', '<a x="', '&#', '<a>', '<p><b>', '<form>'])(
  'is not made slow by any page: %s',
  (part) => {
    const began = performance.now()
    const half = part.repeat(1_000_000 / part.length)
    elementsIn(half + '</i>'.repeat(250_000))
    expect(performance.now() - began).toBeLessThan(5000)
  },
)

it('reads attributes however they are written, with the escapes of an address', () => {
  const of = (html: string) => elementsIn(html).map(({ name, attributes }) => [name, attributes])
  expect(of(`<INPUT a='1' B = "2" c=3 d e="">`)).toEqual([
    ['input', { a: '1', b: '2', c: '3', d: '', e: '' }],
  ])
  expect(of('<a href="?a&amp;b&#47;c&#x2F;d&LT;e&gt;&quot;&other;">')).toEqual([
    ['a', { href: '?a&b/c/d<e>"&other;' }],
  ])
  expect(of('</form>')).toEqual([])
  expect(of('< a>')).toEqual([])
})

it('goes on after a comment and after a script, each with its own end', () => {
  const names = (html: string) => elementsIn(html).map(({ name }) => name)
  expect(names('<a><!-- <b> --><c>')).toEqual(['a', 'c'])
  expect(names('<a><!-- <script> --><c>')).toEqual(['a', 'c'])
  expect(names('<SCRIPT src=x>"<!-- <b>"</SCRIPT><c>')).toEqual(['script', 'c'])
  expect(names('<!-- one --><a><!-- two --><b>')).toEqual(['a', 'b'])
  expect(names('<a><!-- <b>')).toEqual(['a'])
  expect(names('<a><script><b>')).toEqual(['a', 'script'])
})

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
