import { expect, it } from 'vitest'
import { parseOpenUrl } from '../../src/shared/open-url.ts'

it.each([
  ['https://app.example.com', 'https://app.example.com/'],
  ['https://app.example.com/start?from=launch&to=1#top', undefined],
  ['HTTPS://APP.example.com/', 'https://app.example.com/'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['http://localhost:3000/', undefined],
  ['http://[::1]:8080/', undefined],
  [
    `https://example.com/"><script>alert(1)</script>`,
    'https://example.com/%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
  ],
])('an opening leads to %s', (text, as) => {
  expect(parseOpenUrl(text)).toBe(as ?? text)
})

it.each([
  '',
  'app.example.com',
  '/app',
  'http://app.example.com/',
  'http://localhost.example.com/',
  'javascript:alert(1)',
  'https:app.example.com',
  'https:///app.example.com',
  'https://user:secret@app.example.com/',
  'https:\\\\app.example.com',
  'https://app.example.com\\@evil.example/',
  ' https://app.example.com/',
  'https://app.example.com/\u0000',
  'https://app.example.com/\u202egpj',
  `https://app.example.com/${'a'.repeat(1000)}`,
  // Longer only once it is written as browsers do.
  `https://app.example.com/${'ü'.repeat(400)}`,
])('an opening leads to no script, no plain http and no name or password: %j', (text) => {
  expect(parseOpenUrl(text)).toBeUndefined()
})
