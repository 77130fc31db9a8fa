import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type Browser, chromium, type Page } from '@playwright/test'
import { CHROMIUM_ARGS } from '../../scripts/chromium/find-chromium.ts'
import { type BackendConfig, paths } from '../../src/shared/api.ts'
import { contentTypeOf } from '../../src/site/content-type.ts'
import { figure } from '../figures.ts'
import type { Findings, Row } from '../report.ts'
import { obtainBrowser } from './browser.ts'
import { withFirebasePage } from './firebase-page.ts'

interface Line {
  readonly name: string
  readonly kilobits: number
  readonly roundTripMs: number
  /** How many times slower the processor is made. */
  readonly slowdown: number
}

const lines: readonly Line[] = [
  { name: '3G, 6 × slower', kilobits: 400, roundTripMs: 400, slowdown: 6 },
  { name: '50 kbit/s', kilobits: 50, roundTripMs: 400, slowdown: 1 },
]

const CONFIG: BackendConfig = {
  mode: 'firebase',
  appId: 'bench',
  firebase: { apiKey: 'not-a-secret', projectId: 'demo-bench' },
}
/** From when on a visitor of the page for Firebase can sign up, where the line is slow. */
export async function measureSlowLine(rounds: number): Promise<Findings> {
  const found = await obtainBrowser()
  if ('missing' in found) return { rows: [], notes: [found.missing] }
  const rows = await withFirebasePage(async ({ folder }) => {
    const server = await serve(folder)
    const browser = await chromium.launch({ executablePath: found.path, args: [...CHROMIUM_ARGS] })
    try {
      const rows: Row[] = []
      for (const line of lines) {
        const visits: Visit[] = []
        for (let round = 0; round < rounds; round++)
          visits.push(await visit(browser, server.url, line))
        rows.push(
          seconds(`${line.name}: the button works`, visits, 'buttonWorks'),
          seconds(`${line.name}: the page signs in`, visits, 'signsIn'),
        )
      }
      return rows
    } finally {
      await browser.close()
      server.close()
    }
  })
  return { rows, notes: ['On the slow lines HTTP/1.1 was spoken, and Google was not asked.'] }
}

interface Visit {
  readonly buttonWorks: number
  readonly signsIn: number
}

function seconds(what: string, visits: readonly Visit[], of: keyof Visit): Row {
  return { what: `Firebase, ${what}`, figure: figure(visits.map((one) => one[of])), unit: 's' }
}

/** A first visit, in seconds since it began. */
async function visit(browser: Browser, url: string, line: Line): Promise<Visit> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await slowDown(page, line)
  await page.route('https://**', (route) => route.abort())
  const began = performance.now()
  const since = () => (performance.now() - began) / 1000
  const signsIn = page.waitForRequest(/accounts:signUp/, { timeout: 120_000 }).then(since)
  await page.goto(url, { waitUntil: 'commit' })
  const button = page.locator('button[type=submit]:enabled')
  const buttonWorks = button.waitFor({ timeout: 120_000 }).then(since)
  const seen = { buttonWorks: await buttonWorks, signsIn: await signsIn }
  await context.close()
  return seen
}

async function slowDown(page: Page, { kilobits, roundTripMs, slowdown }: Line) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: roundTripMs,
    downloadThroughput: (kilobits * 1000) / 8,
    uploadThroughput: (kilobits * 1000) / 8,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

/** Serves the folder as a static host would, compressed. */
async function serve(folder: string) {
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : String(request.url)
    const file = join(folder, path)
    const content = path === paths.config ? JSON.stringify(CONFIG) : fileAt(file)
    if (content === undefined) return void response.writeHead(404).end()
    const body = brotliCompressSync(content)
    const headers = { 'content-type': contentTypeOf(path), 'content-encoding': 'br' }
    response.writeHead(200, headers).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function fileAt(path: string) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : undefined
}
