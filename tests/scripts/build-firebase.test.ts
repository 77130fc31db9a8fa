/** @module-tag thorough */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { readFirebaseConfig } from '../../scripts/build/firebase-config.ts'
import { hosting, WORKERS } from '../../scripts/build/hosting.ts'
import { firestoreRules } from '../../scripts/firestore-rules.ts'
import { pageIn } from '../../src/checks/elements.ts'
import { installAuthEmulator } from '../emulators/auth-emulator.ts'
import { startHosting } from '../emulators/hosting.ts'
import { copyProduct } from '../fixtures/products.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const web = { apiKey: 'AIza-not-a-secret', projectId: 'demo-launch', authDomain: 'launch.example' }

const appCheckSiteKey = '6LdAbCdEfGhIjKlMnOpQrStUvWxYz0123456789'

describe('a build for Firebase', () => {
  it('sends one’s own files as our server does, and ends the worker of an earlier app', () => {
    const own = new Map([
      ['imprint.html', '<!doctype html>'],
      ['press/index.html', '<!doctype html>'],
      ['.well-known/apple-app-site-association', '{}'],
      ['kit.pdf', ''],
      ['service-worker.js', 'mine'],
    ])
    const page = { language: { code: 'en', path: '' }, styleHashes: { first: '', plain: '' } }
    const { headers, rewrites } = hosting(
      [...own.keys(), ...WORKERS],
      [],
      [{ page, folders: [''] }],
      {
        own: new Map([...own].map(([path, content]) => [path, Buffer.from(content)])),
      },
    )
    /** As Hosting does: of several rules, the last one counts. */
    const sent = (path: string) =>
      Object.fromEntries(
        headers
          .filter(({ source }) => source === '**' || source === path)
          .flatMap(({ headers }) => headers.map(({ key, value }) => [key, value])),
      )
    const sandbox = { 'content-security-policy': expect.stringMatching(/^sandbox allow-scripts /) }
    const open = { 'access-control-allow-origin': '*', 'cross-origin-opener-policy': 'unsafe-none' }
    for (const path of ['/imprint.html', '/imprint', '/press/index.html', '/press/'])
      expect(sent(path), path).toMatchObject({ ...open, ...sandbox, 'cache-control': 'no-cache' })
    const association = sent('/.well-known/apple-app-site-association')
    expect(association).toMatchObject({ 'content-type': 'application/json; charset=utf-8' })
    expect(sent('/kit.pdf')).toMatchObject(open)
    expect(sent('/kit.pdf')['content-security-policy']).not.toContain('sandbox')
    for (const path of ['/', '/sw.js', '/config.json']) {
      expect(sent(path)).not.toHaveProperty('access-control-allow-origin')
      expect(sent(path)['content-security-policy']).not.toContain('sandbox')
    }
    expect(sent('/sw.js')).toMatchObject({ 'service-worker-allowed': '/' })
    expect(sent('/service-worker.js')).not.toHaveProperty('service-worker-allowed')
    expect(rewrites).toContainEqual({ source: '/imprint', destination: '/imprint.html' })
  })

  it('is open, in two languages, with App Check, and asks for confirmation', async () => {
    const root = tempDir()
    copyProduct(root, 'librairie')
    const env = {
      FIREBASE_WEBAPP_CONFIG: JSON.stringify({ ...web, appId: '1:2:web:3', appCheckSiteKey }),
      PUBLIC_URL: 'https://launch.example',
      CONFIRM: 'on',
    }
    const app = `https://app.example.com/?a='1'&b="><script>alert(1)</script>`
    const built = buildProject(root, env, 'build-firebase', '--open', app)
    expect(built).toMatchObject({ status: 0, stderr: '' })
    expect(built.stdout).toContain('nobody is on the list until our server has asked them')
    const text = (path: string) => readFileSync(join(root, 'dist-firebase', path), 'utf8')
    const { href } = new URL(app)
    for (const language of ['fr', 'ar']) {
      const page = text(`public/${language}/index.html`)
      expect(pageIn(page)).toEqual({ page: 'open', url: href })
      expect(page).not.toMatch(/<script>alert|%OPEN_URL%/)
      expect(page).toContain(`content="https://launch.example/${language}/social-open.png"`)
    }
    expect(JSON.parse(text('public/opening.json'))).toEqual({ open: href })
    expect(JSON.parse(text('public/config.json')).confirm).toBe(true)
    expect(text('firestore.rules')).toBe(firestoreRules('librairie', { confirm: true }))

    const [client = ''] = globSync('public/assets/firebase-client-*.js', {
      cwd: join(root, 'dist-firebase'),
    })
    // Of our own code: the library's may be there and never begin.
    expect(text(client)).toContain('reCAPTCHA is silent')
    const settings = text('firebase.json')
    expect(JSON.parse(settings).hosting.headers).toContainEqual({
      source: '/opening.json',
      headers: [{ key: 'cache-control', value: 'no-cache' }],
    })
    const google = 'https://www.google.com/recaptcha/'
    const scripts = `${google} https://www.gstatic.com/recaptcha/; style-src`
    expect(settings).toMatch(new RegExp(`script-src 'self' ('sha256-[^']+' )+${scripts}`))
    expect(settings).toContain(`frame-src ${google} https://recaptcha.google.com/recaptcha/;`)
    const calls = `https://content-firebaseappcheck.googleapis.com ${google}`
    expect(settings).toContain(`https://firestore.googleapis.com ${calls}; frame-src`)

    // Each by its path, and at / by what the browser asks for, with its own style.
    await installAuthEmulator()
    const { url, stop } = await startHosting(join(root, 'dist-firebase'))
    onTestFinished(stop)
    for (const [path, asked, status, language] of [
      ['/', 'fr-CA,fr;q=0.9,ar;q=0.8', 200, 'fr'],
      ['/', 'ar', 200, 'ar'],
      ['/', 'de-DE,de;q=0.9', 200, 'ar'],
      ['/fr/', 'ar', 200, 'fr'],
      ['/fr', 'ar', 200, 'fr'],
      ['/ar/', 'fr', 200, 'ar'],
      ['/nowhere', 'fr', 404, 'fr'],
      // Firebase looks for no 404 page of a path.
      ['/fr/nowhere', 'ar', 404, 'ar'],
    ] as const) {
      const answer = await fetch(url + path, { headers: { 'accept-language': asked } })
      const html = await answer.text()
      expect([answer.status, /<html lang="(\w+)/.exec(html)?.[1]], path + asked).toEqual([
        status,
        language,
      ])
      const policy = answer.headers.get('content-security-policy')
      for (const [, style = ''] of html.matchAll(/<style>([\s\S]*?)<\/style>/g))
        expect(policy, path + asked).toContain(
          `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
        )
      expect(html).toContain('<style>')
      const isChosen = path === '/' || status === 404
      expect(answer.headers.get('vary')?.includes('accept-language') ?? false).toBe(isChosen)
      expect(answer.headers.get('cache-control')).toBe(isChosen ? 'private, no-cache' : 'no-cache')
    }
  })

  it('names every mistake at once, and leaves nothing half-built', () => {
    const root = tempDir()
    copyProject(root, { ...product, name: '' })
    const env = {
      PUBLIC_URL: 'launch',
      FIREBASE_WEBAPP_CONFIG: '{"apiKey":"key"}',
      CONFIRM: 'on',
    }
    const options = ['--open', 'http://app.example.com']
    const { status, stderr } = buildProject(root, env, 'build-firebase', ...options)
    expect(status).toBe(1)
    expect(stderr.trim().split('\n')).toEqual([
      'product.config.ts: name: is missing',
      expect.stringContaining('PUBLIC_URL: is "launch"'),
      expect.stringMatching(/^--open: is "http:\/\/app\.example\.com", must be an address/),
      'FIREBASE_WEBAPP_CONFIG: projectId: is missing',
    ])
    expect(existsSync(join(root, 'dist-firebase'))).toBe(false)
    expect(buildProject(root, env, 'build-firebase', '--opne')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--opne'),
    })
  })
})

describe("Firebase's configuration", () => {
  const read = (text: string) => readFirebaseConfig({ FIREBASE_WEBAPP_CONFIG: text })

  it('is taken from the environment before the file', () => {
    expect(read(JSON.stringify(web))).toEqual({ config: web })
  })

  it('that is nowhere is said to be missing', () => {
    const before = process.cwd()
    onTestFinished(() => process.chdir(before))
    process.chdir(tempDir())
    expect(readFirebaseConfig({})).toEqual({
      mistakes: ['firebase.config.json: is missing; docs/firebase.md says where to get it'],
    })
  })

  it.each([
    ['no JSON', '{apiKey: "key"}', 'must be a JSON object, with every name in double quotes'],
    ['a list', '[]', 'must be a JSON object, with every name in double quotes'],
    ['null', 'null', 'must be a JSON object, with every name in double quotes'],
    ['no key', { projectId: 'demo-launch' }, 'apiKey: is missing'],
    ['an empty key', { ...web, apiKey: '' }, 'apiKey: is not what Firebase gives out'],
    ['a placeholder', { ...web, projectId: '<your project>' }, 'projectId: is not what'],
    ['a number', { ...web, appId: 1 }, 'appId: is not what Firebase gives out'],
    ['a secret', { ...web, private_key: 'x' }, 'private_key: does not belong'],
    [
      'a key for App Check that is none',
      { ...web, appId: '1:2:web:3', appCheckSiteKey: '<key>' },
      'appCheckSiteKey',
    ],
    [
      'a key for App Check of no app',
      { ...web, appCheckSiteKey: '6LdAbCdEfGhIjKlMnOpQrStUvWxYz0123456789' },
      'appId: is missing, and App Check needs it',
    ],
    ['a trap', { ...web, constructor: 'x' }, 'constructor: does not belong'],
  ])('with %s gets one clear sentence', (_, wrong, sentence) => {
    const result = read(typeof wrong === 'string' ? wrong : JSON.stringify(wrong))
    expect(result).toEqual({ mistakes: [expect.stringContaining(sentence)] })
  })
})
