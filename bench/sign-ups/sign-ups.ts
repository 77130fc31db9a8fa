import { join } from 'node:path'
import { serve } from '../../scripts/serve.ts'
import { paths } from '../../src/shared/api.ts'
import { figure, ratio } from '../figures.ts'
import { startOurServer } from '../our-server.ts'
import type { Findings } from '../report.ts'
import { generateLoad, type Visitor } from './generate-load.ts'
import { ourVisitors } from './our-visitors.ts'
import { newEmail } from './request.ts'
import { usualLoad } from './usual-load.ts'

const LOAD = { connections: 64, seconds: 2 }

/** Sign-ups a second of our server and of bare Node, taking turns, and whole visits of ours. */
export async function measureSignUps(rounds: number): Promise<Findings> {
  const raw = await serve({}, [join(import.meta.dirname, 'raw-server.ts')])
  const server = await startOurServer('sign-ups')
  const { signedIn: headers, ...visitors } = ourVisitors(server.url)
  const autocannon = await usualLoad()
  const usual = (origin: string) => () =>
    autocannon({ url: origin + paths.subscribers, headers, email: newEmail, ...LOAD })
  const lean =
    (visitor: Visitor, { url } = server) =>
    async () =>
      (await generateLoad({ url, visitor, ...LOAD })).perSecond
  const sides = {
    raw: usual(raw.url),
    ours: usual(server.url),
    bare: lean(ourVisitors(raw.url).signUp, raw),
    alone: lean(visitors.signUp),
    newcomer: lean(visitors.newcomer),
  }
  const rates = { raw: [], ours: [], bare: [], alone: [], newcomer: [] } as Record<
    keyof typeof sides,
    number[]
  >
  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const [name, measure] of Object.entries(sides)) {
      const rate = await measure()
      if (round > 0) rates[name as keyof typeof sides].push(rate)
    }
  await Promise.all([raw.stop(), server.stop()])
  return {
    rows: [
      { what: 'sign-up alone', figure: figure(rates.alone), unit: '/s' },
      {
        what: 'newcomer: session, sign-in, sign-up',
        figure: figure(rates.newcomer),
        unit: '/s',
      },
      {
        what: 'sign-up alone over bare node:http, autocannon as load',
        figure: ratio(rates.ours, rates.raw),
        unit: '×',
        budget: { must: 0.65, aim: 0.8, better: 'more' },
      },
      {
        what: 'the same, the leanest load',
        figure: ratio(rates.alone, rates.bare),
        unit: '×',
        budget: { must: 0.55, aim: 0.7, better: 'more' },
      },
    ],
  }
}
