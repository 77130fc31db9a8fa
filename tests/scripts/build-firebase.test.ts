/** @module-tag thorough */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { readFirebaseConfig } from '../../scripts/build/firebase-config.ts'
import { hosting, WORKERS } from '../../scripts/build/hosting.ts'
import { firestoreRules } from '../../scripts/firestore-rules.ts'
import { pageIn } from '../../src/checks/elements.ts'
import { escapeHtml } from '../../src/shared/escape-html.ts'
import { en } from '../../src/words/en.ts'
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

  // One build of all that each of the tests after it tries by itself, in the torture.
  it('is open, in two languages, with App Check, and asks for confirmation', () => {
    const root = tempDir()
    copyProduct(root, 'librairie')
    const app = { ...web, appId: '1:2:web:3', appCheckSiteKey }
    const env = { FIREBASE_WEBAPP_CONFIG: JSON.stringify(app), CONFIRM: 'on' }
    const url = 'https://app.example.com/'
    const built = buildProject(root, env, 'build-firebase', '--open', url)
    expect(built).toMatchObject({ status: 0, stderr: '' })
    const text = (path: string) => readFileSync(join(root, 'dist-firebase', path), 'utf8')
    for (const language of ['fr', 'ar'])
      expect(pageIn(text(`public/${language}/index.html`))).toEqual({ page: 'open', url })
    expect(JSON.parse(text('public/opening.json'))).toEqual({ open: url })
    expect(JSON.parse(text('public/config.json')).confirm).toBe(true)
    expect(text('firestore.rules')).toContain('confirmationRequests')
    expect(text('firebase.json')).toContain('https://content-firebaseappcheck.googleapis.com')
    const [client = ''] = globSync('public/assets/firebase-client-*.js', {
      cwd: join(root, 'dist-firebase'),
    })
    // Of our own code: the library's may be there and never begin.
    expect(text(client)).toContain('reCAPTCHA is silent')
  })

  it('is the open page with --open, and says so to pages that stand open', {
    tags: 'long',
    timeout: 120_000,
  }, () => {
    const root = tempDir()
    copyProject(root, product)
    const env = {
      FIREBASE_WEBAPP_CONFIG: JSON.stringify(web),
      PUBLIC_URL: 'https://launch.example',
    }
    const build = (...options: string[]) => buildProject(root, env, 'build-firebase', ...options)
    const text = (path: string) => readFileSync(join(root, 'dist-firebase/public', path), 'utf8')
    const url = `https://app.example.com/?a='1'&b="><script>alert(1)</script>`
    expect(build('--open', url)).toMatchObject({ status: 0 })
    const [page, href] = [text('index.html'), URL.parse(url)?.href ?? '']
    expect(pageIn(page)).toEqual({ page: 'open', url: href })
    expect(page).not.toContain('<script>alert')
    expect(page).not.toContain('%OPEN_URL%')
    expect(page).toContain(`<title>${escapeHtml(product.name)} — Open now</title>`)
    expect(page).toContain('content="https://launch.example/social-open.png"')
    expect(JSON.parse(text('opening.json'))).toEqual({ open: href })
    const settings = readFileSync(join(root, 'dist-firebase/firebase.json'), 'utf8')
    expect(JSON.parse(settings).hosting.headers).toContainEqual({
      source: '/opening.json',
      headers: [{ key: 'cache-control', value: 'no-cache' }],
    })

    expect(build('--open', 'http://app.example.com')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^--open: is "http:\/\/app\.example\.com", must be an address/),
    })
    expect(build('--opne', url)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--opne'),
    })
    // What was built before is still there.
    expect(pageIn(text('index.html')).page).toBe('open')
    expect(build()).toMatchObject({ status: 0 })
    expect([pageIn(text('index.html')).page, text('opening.json')]).toEqual(['coming-soon', '{}\n'])
  })

  it('holds App Check with a site key, and not a byte of it without one', {
    tags: 'long',
    timeout: 300_000,
  }, () => {
    const build = (config: object, change = (_root: string) => {}) => {
      const root = tempDir()
      copyProject(root, { ...product, appId: 'our-launch' })
      change(root)
      const env = { FIREBASE_WEBAPP_CONFIG: JSON.stringify(config) }
      expect(buildProject(root, env, 'build-firebase')).toMatchObject({ status: 0, stderr: '' })
      const assets = join(root, 'dist-firebase/public/assets')
      const [name = ''] = globSync('firebase-client-*.js', { cwd: assets })
      const script = readFileSync(join(assets, name))
      return {
        name,
        script,
        settings: readFileSync(join(root, 'dist-firebase/firebase.json'), 'utf8'),
      }
    }
    const app = { ...web, appId: '1:2:web:3' }
    const without = build(app)
    const never = build(app, (root) => {
      const nothing =
        'export function beginAppCheck() {}\nexport async function appCheckHeader() {}\n'
      writeFileSync(join(root, 'src/client/app-check.ts'), nothing)
    })
    expect(without.name).toBe(never.name)
    expect(without.script.equals(never.script)).toBe(true)
    expect(without.settings).toBe(never.settings)
    expect(without.settings).not.toMatch(/recaptcha|appcheck|frame-src/)

    const given = build({ ...app, appCheckSiteKey })
    expect(given.script.toString()).toContain('https://content-firebaseappcheck.googleapis.com')
    const google = 'https://www.google.com/recaptcha/'
    const scripts = `${google} https://www.gstatic.com/recaptcha/; style-src`
    expect(given.settings).toMatch(new RegExp(`script-src 'self' ('sha256-[^']+' )+${scripts}`))
    expect(given.settings).toContain(`frame-src ${google} https://recaptcha.google.com/recaptcha/;`)
    const calls = `https://content-firebaseappcheck.googleapis.com ${google}`
    expect(given.settings).toContain(`https://firestore.googleapis.com ${calls}; frame-src`)
    const more = brotliCompressSync(given.script).length - brotliCompressSync(without.script).length
    console.log(`App Check ${more} B`)
    expect(more).toBeLessThan(4_500)
  })

  it('asks for confirmation where it is turned on, and holds not a byte of that otherwise', {
    tags: 'long',
    timeout: 120_000,
  }, () => {
    const root = tempDir()
    copyProject(root, { ...product, appId: 'our-launch' })
    const built = (CONFIRM: string) => {
      const env = { FIREBASE_WEBAPP_CONFIG: JSON.stringify(web), CONFIRM }
      const { status, stderr, stdout } = buildProject(root, env, 'build-firebase')
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      const out = join(root, 'dist-firebase')
      const files = globSync('public/**/*.{html,js,json}', { cwd: out })
      const texts = files.map((file) => readFileSync(join(out, file), 'utf8'))
      const holds = (text: string) => texts.some((one) => one.includes(text))
      const config = JSON.parse(readFileSync(join(out, 'public/config.json'), 'utf8'))
      const rules = readFileSync(join(out, 'firestore.rules'), 'utf8')
      return { stdout, holds, config, rules }
    }
    const words = [en.letterSent, 'subscribe-letter', 'confirmationRequests']
    const on = built('on')
    expect(on.stdout).toContain('nobody is on the list until our server has asked them')
    expect(on.config.confirm).toBe(true)
    expect(on.rules).toBe(firestoreRules('our-launch', true))
    for (const text of words) expect(on.holds(text)).toBe(true)
    const off = built('off')
    expect(off.rules).toBe(firestoreRules('our-launch'))
    expect(off.config).not.toHaveProperty('confirm')
    for (const text of words) expect(off.holds(text)).toBe(false)
  })

  it('shows each language by its path, and at / by what the browser asks for, with its own style', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const root = tempDir()
    copyProduct(root, 'librairie')
    const env = { FIREBASE_WEBAPP_CONFIG: JSON.stringify(web) }
    expect(buildProject(root, env, 'build-firebase')).toMatchObject({ status: 0, stderr: '' })
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
      REFERRALS: 'on',
    }
    const { status, stderr } = buildProject(root, env, 'build-firebase')
    expect(status).toBe(1)
    expect(stderr.trim().split('\n')).toEqual([
      'product.config.ts: name: is missing',
      expect.stringContaining('PUBLIC_URL: is "launch"'),
      expect.stringContaining('REFERRALS: is "on", needs PUBLIC_URL'),
      'REFERRALS: is "on", must be off for Firebase, where no server of ours sees a link',
      'FIREBASE_WEBAPP_CONFIG: projectId: is missing',
    ])
    expect(existsSync(join(root, 'dist-firebase'))).toBe(false)
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
