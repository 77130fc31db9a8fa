import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { todayReader } from '../../src/desk/server/today-state.ts'
import { keptLinkKey } from '../../src/keys/link-key.ts'
import product from '../../src/product/product.ts'
import { openStore } from '../../src/store/open-store.ts'
import { deskCookie } from '../../tests/fixtures/desk-cookie.ts'
import { at, figure, ratio } from '../figures.ts'
import { type OurServer, startOurServer } from '../our-server.ts'
import { workFolder } from '../processes.ts'
import { type Findings, type Row, single } from '../report.ts'
import { generateLoad } from '../sign-ups/generate-load.ts'
import { ourVisitors } from '../sign-ups/our-visitors.ts'
import { writeMillion } from './million.ts'

const MILLION = 1_000_000
const LEFT = 20_000
const PAGES = 10
const LOOKS = 40
const FRESH_LOOKS = 9
/** Near a thousand a second. A load that fills the machine would measure how it is shared out. */
const LOAD = { connections: 32, seconds: 6, restMs: 30 }
const WITHIN_MS = { must: 300, aim: 150, better: 'less' } as const

/**
 * The desk's first page with a million subscribers, and what open pages cost visitors who sign up.
 */
export async function measureDesk(rounds: number): Promise<Findings> {
  const dataDir = join(workFolder, 'desk')
  mkdirSync(dataDir)
  const ids = Array.from({ length: LEFT }, () => randomBytes(16).toString('base64url'))
  writeMillion(dataDir, product.appId, MILLION, ids)
  const rows = await measureReading(dataDir)
  return { rows: [...rows, ...(await measurePages(dataDir)), ...(await measureCost(rounds))] }
}

/** What it takes to read all of it anew, as the first look of a process does. */
async function measureReading(dataDir: string): Promise<Row[]> {
  const linkKey = keptLinkKey(dataDir)
  const { appId } = product
  const { store, place, backups } = await openStore({
    kind: 'sqlite',
    dataDir,
    appId,
    linkKey,
    log: console.error,
  })
  const where = { storeKind: 'sqlite', place, dataDir, env: {}, product } as const
  const parts = { ...where, backups, linkKey, store }
  const times: number[] = []
  for (let look = 0; look < FRESH_LOOKS; look++) {
    const read = todayReader({ ...parts, held: store.outbox.heldLetters })
    times.push(await timeOf(read))
  }
  await store.close()
  return timeRows('desk at 1 M, all read anew', times)
}

/** The page as a browser gets it, from the server and the desk's process. */
async function measurePages(dataDir: string): Promise<Row[]> {
  const { server, cookie } = await openDesk('desk')
  if (server.dataDir !== dataDir) throw new Error('another folder')
  const page = () => fetchText(`${server.url}/desk`, cookie)
  const first = await timeOf(page)
  const times: number[] = []
  for (let look = 0; look < LOOKS; look++) times.push(await timeOf(page))
  await server.stop()
  return [
    {
      what: 'desk at 1 M, the first page, with the start of its process',
      figure: single(first),
      unit: 'ms',
    },
    ...timeRows('desk at 1 M, page', times),
  ]
}

/** Sign-ups with ten open pages and with none, in turn. */
async function measureCost(rounds: number): Promise<Row[]> {
  const { server, cookie } = await openDesk('desk-cost')
  const visitor = ourVisitors(server.url).signUp
  const load = () => generateLoad({ url: server.url, visitor, ...LOAD })
  await load()
  const [without, beside] = [[] as number[], [] as number[]]
  for (let round = 0; round < rounds; round++) {
    without.push((await load()).p99)
    const pages = await Promise.all(
      Array.from({ length: PAGES }, () => listen(`${server.url}/desk/events?of=today`, cookie)),
    )
    beside.push((await load()).p99)
    for (const close of pages) close()
  }
  await server.stop()
  return [
    { what: 'sign-up, p99, no page of the desk open', figure: figure(without), unit: 'ms' },
    {
      what: `the same with ${PAGES} pages open, over none`,
      figure: ratio(beside, without),
      unit: '×',
      budget: { must: 1.05, aim: 1.02, better: 'less' },
    },
  ]
}

async function openDesk(name: string): Promise<{ server: OurServer; cookie: string }> {
  const server = await startOurServer(name)
  const { name: cookie, value } = await deskCookie(server)
  return { server, cookie: `${cookie}=${value}` }
}

function timeRows(what: string, times: number[]): Row[] {
  const sorted = times.toSorted((a, b) => a - b)
  return [
    { what: `${what}, median`, figure: figure(times), unit: 'ms' },
    { what: `${what}, 95 %`, figure: single(at(sorted, 0.95)), unit: 'ms', budget: WITHIN_MS },
  ]
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function fetchText(url: string, cookie: string): Promise<string> {
  const answer = await fetch(url, { headers: { cookie } })
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
  return answer.text()
}

/** Reads a stream of events until it is closed. */
function listen(url: string, cookie: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { cookie }, agent: false }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answers ${answer.statusCode}`))
      answer.resume()
      answer.once('data', () => resolve(() => request.destroy()))
    })
    request.on('error', reject)
  })
}
