import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { startOurServer } from '../our-server.ts'
import { type Findings, single } from '../report.ts'
import { dataFolder } from '../work-folder.ts'
import { generateLoad, type Visitor } from './generate-load.ts'
import { ourVisitors } from './our-visitors.ts'
import { request } from './request.ts'

const MANY = 100_000
const LOAD = { connections: 64, seconds: 10 }

/** What a burst of sign-ups left is taken in: beside visitors who read the page, and then alone. */
export async function measureBurst(): Promise<Findings> {
  const { url, stop } = await startOurServer('burst')
  const file = join(dataFolder('burst'), 'subscribers.sqlite')
  const list = new DatabaseSync(file, { readOnly: true })
  const count = list.prepare('SELECT count(*) AS n FROM documents WHERE waits IS NOT NULL')
  const waiting = () => Number(count.get()?.n)
  const load = async (visitor: Visitor) => (await generateLoad({ url, visitor, ...LOAD })).perSecond
  const readPages = () =>
    load(function* () {
      yield request('GET', `${url}/`)
    })
  const secondsOfAll = async (work: () => Promise<unknown>) => {
    const [before, began] = [waiting(), performance.now()]
    await work()
    const seconds = (performance.now() - began) / 1000
    return { figure: single((seconds / (before - waiting())) * MANY), unit: 's' }
  }

  while (waiting() < MANY) await load(ourVisitors(url).signUp)
  let pages = 0
  const beside = await secondsOfAll(async () => {
    pages = await readPages()
  })
  const after = await secondsOfAll(async () => {
    while (waiting() > 0) await sleep(100)
  })
  const without = await readPages()
  list.close()
  await stop()
  return {
    rows: [
      {
        what: 'GET / while 100,000 sign-ups wait, over the same without',
        figure: single(pages / without),
        unit: '×',
        budget: { must: 0.8, aim: 0.9, better: 'more' },
      },
      { what: 'they are taken in beside that', ...beside, budget: inTime(240, 120) },
      { what: 'they are taken in once it is quiet', ...after, budget: inTime(45, 20) },
    ],
  }
}

const inTime = (must: number, aim: number) => ({ must, aim, better: 'less' }) as const
