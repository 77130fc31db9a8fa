import { expect, it } from 'vitest'
import { allows, policiesIn, sourcesFor } from '../../src/checks/policy.ts'

const page = new URL('https://blog.example.com/pricing')
const url = new URL('https://example.com/join')

it.each<[boolean, string]>([
  [true, 'https://example.com'],
  [true, 'example.com'],
  [true, 'https:'],
  [true, '*'],
  [true, "'self' https://EXAMPLE.com:443"],
  [true, 'https://example.com:*'],
  [true, 'http://example.com'],
  [true, 'https://example.com/join'],
  [true, 'https://example.com/'],
  [false, "'self'"],
  [false, "'none'"],
  [false, ''],
  [false, '*.example.com'],
  [false, 'https://example.com:8443'],
  [false, 'https://example.com/subscribe'],
  [false, 'wss:'],
])('%s: form-action %s', (isAllowed, sources) => {
  const [policy] = policiesIn(`form-action ${sources}; form-action *`)
  expect(allows(policy ? (sourcesFor(policy, 'form') ?? []) : [], url, page)).toBe(isAllowed)
})

it('falls back as browsers do, and never for forms', () => {
  const [policy, other] = policiesIn("default-src 'none', script-src-elem a.example; script-src *")
  if (!policy || !other) throw new Error('two policies')
  expect(sourcesFor(policy, 'form')).toBeUndefined()
  expect(sourcesFor(policy, 'script')).toEqual(["'none'"])
  expect(sourcesFor(policy, 'connect')).toEqual(["'none'"])
  expect(sourcesFor(other, 'script')).toEqual(['a.example'])
  expect(sourcesFor(other, 'connect')).toBeUndefined()
})

it("takes a port for this page's own where none is named", () => {
  const here = new URL('http://localhost:3000/')
  expect(allows(["'self'"], new URL('http://localhost:3000/a'), here)).toBe(true)
  expect(allows(['localhost'], new URL('http://localhost:3000/a'), here)).toBe(false)
  expect(allows(['*.example.com'], new URL('http://x.example.com/'), here)).toBe(true)
})

it('reads a policy by its names, of which the first counts and an empty one is none', () => {
  const [policy] = policiesIn(' ;Form-Action  a.example\tb.example;; script-src ; form-action *')
  expect(policy && Object.fromEntries(policy)).toEqual({
    'form-action': ['a.example', 'b.example'],
    'script-src': [],
  })
})

it.each<[boolean, string, string]>([
  [true, '*.example.com', 'https://a.example.com/'],
  [true, '*.EXAMPLE.com', 'https://a.b.example.com/'],
  [false, '*.example.com', 'https://badexample.com/'],
  [false, '*example.com', 'https://badexample.com/'],
  [true, 'https://*', 'https://example.com/join'],
  [false, 'https://*', 'http://example.com/join'],
  [false, 'https://*:8443', 'https://example.com/join'],
  [false, 'http://example.com', 'ftp://example.com/join'],
  [true, 'http://example.com', 'https://example.com/join'],
  [false, 'https://example.com', 'http://example.com/join'],
  [true, 'HTTPS://example.com:443', 'https://example.com/join'],
  [true, 'http://example.com:80', 'http://example.com/join'],
  [false, 'https://example.com:80', 'https://example.com/join'],
  [true, 'https://example.com:8443', 'https://example.com:8443/join'],
  [false, 'https://example.com', 'https://example.com:8443/join'],
  [true, 'https://example.com/a/', 'https://example.com/a/b'],
  [false, 'https://example.com/a', 'https://example.com/a/b'],
  [false, 'https://example.com/a/', 'https://example.com/b'],
  [true, 'HTTPS:', 'https://example.com/join'],
  [false, 'xhttps://example.com?', 'https://example.com/join'],
])('%s: %s for %s', (isAllowed, source, asked) => {
  expect(allows([source], new URL(asked), page)).toBe(isAllowed)
})
