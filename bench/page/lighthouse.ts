import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { figure } from '../figures.ts'
import { installTools } from '../install-tools.ts'
import { startOurServer } from '../our-server.ts'
import { workFolder } from '../processes.ts'
import type { Findings, Row } from '../report.ts'
import { obtainBrowser } from './browser.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
/** `simulate` computes a slow phone from a fast run; `devtools` really throttles. */
const methods = ['simulate', 'devtools'] as const

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>
}

/** Lighthouse's scores of the page on a mid-range phone. */
export async function measureLighthouse(rounds: number): Promise<Findings> {
  const browser = await obtainBrowser()
  if ('missing' in browser) return { rows: [], notes: [browser.missing] }
  const modules = await installTools('lighthouse')
  const server = await startOurServer('lighthouse')
  const rows: Row[] = []
  for (const method of methods) {
    const reports: Report[] = []
    for (let round = 0; round < rounds; round++)
      reports.push(await audit({ url: server.url, method, modules, chromium: browser.path }))
    rows.push(...describe(method, reports))
  }
  await server.stop()
  return { rows, notes: ['LCP is that of the page beneath the splash, which is painted with it.'] }
}

interface AuditOptions {
  readonly url: string
  readonly method: (typeof methods)[number]
  readonly modules: string
  readonly chromium: string
}

async function audit({ url, method, modules, chromium }: AuditOptions): Promise<Report> {
  const output = join(workFolder, 'lighthouse.json')
  await promisify(execFile)(
    process.execPath,
    [
      join(modules, 'lighthouse/cli/index.js'),
      ...[url, '--output=json', `--output-path=${output}`, '--quiet'],
      ...[`--throttling-method=${method}`, `--only-categories=${categories.join()}`],
      '--chrome-flags=--headless=new --no-sandbox',
    ],
    { env: { ...process.env, CHROME_PATH: chromium } },
  )
  return JSON.parse(readFileSync(output, 'utf8'))
}

function describe(method: AuditOptions['method'], reports: readonly Report[]): Row[] {
  const score = (name: string) =>
    figure(reports.map(({ categories }) => (categories[name]?.score ?? 0) * 100))
  const value = (name: string) =>
    figure(reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN))
  const lcp = value('largest-contentful-paint')
  const seconds = { low: lcp.low / 1000, median: lcp.median / 1000, high: lcp.high / 1000 }
  const shift = value('cumulative-layout-shift')
  const rows: Row[] = categories.map((name) => ({
    what: `Lighthouse, ${method}: ${name}`,
    figure: score(name),
    unit: '',
    budget: { must: 98, aim: 100, better: 'more' },
  }))
  return [
    ...rows,
    {
      what: `Lighthouse, ${method}: LCP`,
      figure: seconds,
      unit: 's',
      ...(method === 'devtools' && { budget: { must: 1, aim: 0.75, better: 'less' } }),
    },
    {
      what: `Lighthouse, ${method}: the worst CLS`,
      figure: { ...shift, median: shift.high },
      unit: '',
      budget: { must: 0.001, aim: 0, better: 'less' },
    },
    { what: `Lighthouse, ${method}: speed index`, figure: value('speed-index'), unit: 'ms' },
  ]
}
