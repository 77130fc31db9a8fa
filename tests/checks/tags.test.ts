import { expect, it } from 'vitest'
import { formsIn, tagsOf } from '../../src/checks/tags.ts'

it('reads the forms of a page, and none of a comment or of the text of a script', () => {
  const forms = formsIn(
    tagsOf(`<!-- <form action=no> --><script>"<form action='no'>"</script>
<FORM Action="https://example.com/join?a=1&amp;b=2" method=POST>
<label>A <b>b</b> <input name='email' required data-x="a > b"></label></FORM>
<input name=outside><form>`),
  )
  expect(forms.map(({ form }) => Object.fromEntries(form.attributes))).toEqual([
    { action: 'https://example.com/join?a=1&b=2', method: 'POST' },
    {},
  ])
  const [first] = forms
  expect(first?.fields.map(({ attributes }) => attributes.get('name')).filter(Boolean)).toEqual([
    'email',
  ])
})

it('is not made slow by any page', () => {
  const began = performance.now()
  for (const part of ['<a"', "<a '", '<!--', '<script', '<script>', '<a x="', '&#'])
    tagsOf(part.repeat(300_000 / part.length))
  expect(performance.now() - began).toBeLessThan(5000)
})

it('reads attributes however they are written, with the escapes of an address', () => {
  const of = (html: string) => {
    const [tag] = tagsOf(html)
    return tag && [tag.name, Object.fromEntries(tag.attributes)]
  }
  expect(of(`<INPUT a='1' B = "2" c=3 d e="">`)).toEqual([
    'input',
    { a: '1', b: '2', c: '3', d: '', e: '' },
  ])
  expect(of('<a href="?a&amp;b&#47;c&#x2F;d&LT;e&gt;&quot;&other;&#123456;">')).toEqual([
    'a',
    { href: '?a&b/c/d<e>"&other;&#123456;' },
  ])
  expect(of('</form>')).toEqual(['/form', {}])
  expect(of('< a>')).toBeUndefined()
})

it('goes on after a comment and after a script, each with its own end', () => {
  const names = (html: string) => tagsOf(html).map(({ name }) => name)
  expect(names('<a><!-- <b> --><c>')).toEqual(['a', 'c'])
  expect(names('<a><!-- <script> --><c>')).toEqual(['a', 'c'])
  expect(names('<SCRIPT src=x>"<!-- <b>"</SCRIPT><c>')).toEqual(['script', '/script', 'c'])
  expect(names('<!-- one --><a><!-- two --><b>')).toEqual(['a', 'b'])
  expect(names('<a><!-- <b>')).toEqual(['a'])
  expect(names('<a><script><b>')).toEqual(['a', 'script'])
})
