import { expect, it } from 'vitest'
import { formsIn, tagsOf } from '../../src/embed/tags.ts'

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
