/** @module-tag long */
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium/find-chromium.ts'
import { contentTypeOf } from '../../src/site/content-type.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'

const config = {
  apiKey: 'AIza-not-a-secret',
  projectId: 'demo-launch',
  appId: '1:2:web:3',
  appCheckSiteKey: '6LdAbCdEfGhIjKlMnOpQrStUvWxYz0123456789',
}
/** As much of reCAPTCHA Enterprise as Firebase's library asks for. */
const recaptcha = `window.grecaptcha = { enterprise: {
  ready: (then) => then(),
  render: (_place, { callback }) => { callback(); return 0 },
  execute: async () => 'seems to be a person',
} }`

const root = mkdtempSync(join(tmpdir(), 'opening-bell-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

beforeAll(() => {
  copyProject(root, product)
  const env = { FIREBASE_WEBAPP_CONFIG: JSON.stringify(config) }
  expect(buildProject(root, env, 'build-firebase')).toMatchObject({ status: 0, stderr: '' })
}, 120_000)

/** Serves the build with its own headers. */
async function serve(): Promise<string> {
  const folder = join(root, 'dist-firebase')
  const settings = JSON.parse(readFileSync(join(folder, 'firebase.json'), 'utf8'))
  const server = createServer(({ url = '/' }, answer) => {
    const file = join(folder, 'public', url === '/' ? 'index.html' : url)
    if (!existsSync(file)) return answer.writeHead(404).end()
    for (const { key, value } of settings.hosting.headers[0].headers) answer.setHeader(key, value)
    answer.setHeader('content-type', contentTypeOf(file))
    answer.end(readFileSync(file))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/** Signs somebody up. @returns what Google was asked with, by the end of its host's name or path. */
async function signUp(onRecaptcha: (route: Route) => Promise<void>) {
  const found = await findChromium()
  if (!('path' in found)) throw new Error('there is no Chromium')
  const browser = await chromium.launch({ executablePath: found.path, args: [...CHROMIUM_ARGS] })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  const tokens = new Map<string, string | undefined>()
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
  }
  const claims = { iat: 1, exp: 4e9, sub: 'visitor', user_id: 'visitor' }
  const idToken = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`
  const answers: Readonly<Record<string, object>> = {
    ':exchangeRecaptchaEnterpriseToken': { token: 'vouched', ttl: '3600s' },
    'accounts:signUp': { idToken, refreshToken: 'x', expiresIn: '3600', localId: 'visitor' },
    'accounts:lookup': { users: [{ localId: 'visitor' }] },
    ':commit': { writeResults: [{}] },
  }
  await page.route(
    ({ hostname }) => hostname !== 'localhost',
    async (route) => {
      const request = route.request()
      if (request.url().includes('/recaptcha/')) return onRecaptcha(route)
      if (request.method() === 'OPTIONS') return route.fulfill({ headers })
      const call = Object.keys(answers).find((end) => request.url().split('?')[0]?.endsWith(end))
      if (!call) return route.abort()
      tokens.set(call, request.headers()['x-firebase-appcheck'])
      return route.fulfill({ headers, json: answers[call] })
    },
  )
  await page.goto(await serve())
  const field = page.getByRole('textbox')
  await field.fill('ada@example.com')
  await field.press('Enter')
  await page.getByText("We'll be in touch").waitFor()
  return { tokens, refused }
}

it('App Check vouches for the page, as far as its own headers let it', async () => {
  const { tokens, refused } = await signUp((route) =>
    route.fulfill({ contentType: 'text/javascript', body: recaptcha }),
  )
  expect(refused).toEqual([])
  expect(tokens.get('accounts:signUp')).toBe('vouched')
  expect(tokens.get(':commit')).toBe('vouched')
})

it('a visitor whose browser blocks reCAPTCHA signs up without a token', async () => {
  const { tokens } = await signUp((route) => route.abort('blockedbyclient'))
  expect(tokens.has(':commit')).toBe(true)
  expect(tokens.get(':commit')).toBeUndefined()
})
