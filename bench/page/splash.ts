import { chromium } from '@playwright/test'
import { CHROMIUM_ARGS } from '../../scripts/chromium/find-chromium.ts'
import type { SplashSeen } from '../../scripts/chromium/trace.ts'
import { watchSplash } from '../../scripts/chromium/watch-splash.ts'
import { figure } from '../figures.ts'
import { startOurServer } from '../our-server.ts'
import type { Findings, Row } from '../report.ts'
import { obtainBrowser } from './browser.ts'

const LENGTH_MS = 5000
const SLOWDOWNS = [1, 6] as const

/** How long the splash lasts and how smooth it is, from the browser's own trace. */
export async function measureSplash(rounds: number): Promise<Findings> {
  const found = await obtainBrowser()
  if ('missing' in found) return { rows: [], notes: [found.missing] }
  const server = await startOurServer('splash')
  const rows: Row[] = []
  for (const slowdown of SLOWDOWNS) {
    const seen: SplashSeen[] = []
    for (let round = 0; round < rounds; round++) {
      const browser = await chromium.launch({
        executablePath: found.path,
        args: [...CHROMIUM_ARGS],
      })
      const page = await browser.newPage()
      seen.push(await watchSplash(page, server.url, slowdown).finally(() => browser.close()))
    }
    rows.push(...describe(slowdown, seen))
  }
  await server.stop()
  return { rows }
}

function describe(slowdown: number, seen: readonly SplashSeen[]): Row[] {
  const of = (key: keyof SplashSeen) => figure(seen.map((one) => one[key]))
  const where = slowdown === 1 ? 'splash' : `splash, ${slowdown} × slower`
  const off = figure(seen.map(({ length }) => Math.abs(length - LENGTH_MS)))
  return [
    { what: `${where}: from first paint to gone`, figure: of('length'), unit: 'ms' },
    {
      what: `${where}: how far that is from ${LENGTH_MS}`,
      figure: off,
      unit: 'ms',
      ...(slowdown === 1 && { budget: { must: 50, aim: 17, better: 'less' } }),
    },
    {
      what: `${where}: frames lost`,
      figure: of('lostFrames'),
      unit: '%',
      ...(slowdown > 1 && { budget: { must: 1, aim: 0, better: 'less' } }),
    },
    { what: `${where}: long tasks`, figure: of('longTasks'), unit: '' },
  ]
}
