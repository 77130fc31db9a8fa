import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { acceptedEncodings } from '../../src/server/http/accept-encoding.ts'
import { bestVariant } from '../../src/server/http/site-file.ts'
import { readSiteFiles } from '../../src/server/routes/site-files.ts'
import { site } from '../../src/site/site.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

function filesOf(contents: Record<string, string | Buffer>, own: readonly string[] = []) {
  const root = tempDir()
  for (const [name, content] of Object.entries(contents)) {
    const file = join(root, site.public, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const security = { 'x-security': 'yes', 'content-security-policy': "default-src 'none'" }
  const headers = { first: security, confirm: security, plain: security }
  return readSiteFiles(root, 'test', [{ code: 'en', path: '', headers }], [], own)
}

it.each([
  ['a.html', 'text/html; charset=utf-8'],
  ['a.js', 'text/javascript; charset=utf-8'],
  ['a.json', 'application/json; charset=utf-8'],
  ['a.svg', 'image/svg+xml'],
  ['a.txt', 'text/plain; charset=utf-8'],
  ['a.webmanifest', 'application/manifest+json'],
  ['a.woff2', 'font/woff2'],
  ['a', 'text/plain; charset=utf-8'],
  ['a.HTML', 'text/html; charset=utf-8'],
  ['a.png.exe', 'application/octet-stream'],
])('sends %s as %s', (name, type) => {
  const file = filesOf({ [name]: 'x' }).get(`/${name}`)
  expect(file?.variants.identity.headers).toMatchObject({
    'content-type': type,
    'content-length': 1,
    'x-security': 'yes',
  })
})

it.each<[string | Buffer, string]>([
  ['<!DOCTYPE html><p>', 'text/html; charset=utf-8'],
  ['\uFEFF\n<html lang="de">', 'text/html; charset=utf-8'],
  ['{"applinks":{}}', 'application/json; charset=utf-8'],
  ['{ no JSON', 'text/plain; charset=utf-8'],
  ['Grüße', 'text/plain; charset=utf-8'],
  [Buffer.from([0x50, 0x4b, 0, 3]), 'application/octet-stream'],
  [Buffer.from([0xff, 0xfe, 0x41]), 'application/octet-stream'],
])('sends a file without an ending as what it is: %j', (content, type) => {
  const file = filesOf({ '.well-known/apple': content }).get('/.well-known/apple')
  expect(file?.variants.identity.headers['content-type']).toBe(type)
})

it('shows a page of the founder’s own also without its ending, and never over another file', () => {
  const files = filesOf(
    {
      'index.html': 'page',
      'imprint.html': 'imprint',
      'press/index.html': 'press',
      'a.htm': 'a',
      b: 'b',
      'b.html': 'b as a page',
      'ours.html': 'ours',
    },
    ['/imprint.html', '/press/index.html', '/a.htm', '/b', '/b.html'],
  )
  const at = (path: string) => files.get(path)?.variants.identity.body.toString()
  expect([at('/imprint'), at('/press/'), at('/a'), at('/b')]).toEqual([
    'imprint',
    'press',
    'a',
    'b',
  ])
  expect([at('/imprint.html'), at('/press/index.html')]).toEqual(['imprint', 'press'])
  for (const path of ['/press', '/press/index', '/ours']) expect(at(path), path).toBeUndefined()
})

it('gives what is the founder’s own no origin as a page, and to every origin as a part', () => {
  const own = ['a.html', 'a.svg', 'a.xml', 'a.js', 'a.json', 'a.bin', 'a', 'a.pdf']
  const files = filesOf(
    { ...Object.fromEntries(own.map((name) => [name, '<html>'])), 'ours.html': '<html>' },
    own.map((name) => `/${name}`),
  )
  const headersOf = (name: string) => files.get(`/${name}`)?.variants.identity.unchanged ?? {}
  for (const name of own) {
    expect(headersOf(name), name).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-opener-policy': 'unsafe-none',
      'cross-origin-resource-policy': 'cross-origin',
      'x-security': 'yes',
    })
    const policy = String(headersOf(name)['content-security-policy'])
    expect(policy).not.toContain('allow-same-origin')
    // A browser shows no PDF in a sandbox, and runs no script of it as the page’s.
    const sandbox =
      /^sandbox allow-scripts allow-forms allow-popups allow-downloads allow-top-navigation-by-user-activation; /
    if (name === 'a.pdf') expect(policy).not.toContain('sandbox')
    else expect(policy).toMatch(sandbox)
  }
  expect(headersOf('ours.html')).not.toHaveProperty('access-control-allow-origin')
})

it('knows what the build left, the page by both of its names, and the forms of each', () => {
  const files = filesOf({
    'index.html': 'page',
    'assets/main.js': 'x',
    'assets/main.js.gz': gzipSync('x'),
    'robots.txt.br.txt': '',
  })
  expect([...files.keys()].toSorted()).toEqual([
    '/',
    '/assets/main.js',
    '/config.json',
    '/index.html',
    '/opening.json',
    '/robots.txt.br.txt',
  ])
  expect(files.get('/')).toBe(files.get('/index.html'))
  const script = files.get('/assets/main.js')
  expect(Object.keys(script?.variants ?? {})).toEqual(['identity', 'gzip'])
  expect(script && bestVariant(script, 'br').headers).not.toHaveProperty('content-encoding')
  expect(script && bestVariant(script, 'br, gzip').headers).toMatchObject({
    'content-encoding': 'gzip',
    vary: 'accept-encoding',
  })
  expect(files.get('/index.html')?.variants.identity.headers).not.toHaveProperty('vary')
  expect(filesOf({ 'a.txt': '' }).has('/')).toBe(false)
})

it('tells one content from another, and says nothing of a length where nothing is sent', () => {
  const [one, same, other] = ['a', 'a', 'b'].map(
    (content) => filesOf({ 'a.txt': content }).get('/a.txt')?.variants.identity,
  )
  expect(one?.etag).toMatch(/^"[\w-]{16}"$/)
  expect(same?.etag).toBe(one?.etag)
  expect(other?.etag).not.toBe(one?.etag)
  expect(one?.unchanged).toMatchObject({ etag: one?.etag, 'x-security': 'yes' })
  expect(one?.unchanged).not.toHaveProperty('content-length')
})

it.each<[string | undefined, string[]]>([
  [undefined, ['identity']],
  ['gzip, br', ['br', 'gzip', 'identity']],
  ['GZIP ; q=0.9 , br;q=0.8', ['br', 'gzip', 'identity']],
  ['br;q=0, gzip;q=0.0,identity', ['identity']],
  ['br ; q=0 , gzip;q=0.01', ['gzip', 'identity']],
  ['*', ['identity']],
  ['broken, xbr, br2, x-gzip', ['identity']],
])('takes Accept-Encoding %j as %j', (header, encodings) => {
  expect(acceptedEncodings(header)).toEqual(encodings)
})
