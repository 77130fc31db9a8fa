import { figure, ratio } from './figures.ts'
import { type OurServer, startOurServer } from './our-server.ts'
import { processorTime } from './processor.ts'
import type { Findings, Row } from './report.ts'
import { generateLoad, type Visitor } from './sign-ups/generate-load.ts'
import { ourVisitors } from './sign-ups/our-visitors.ts'
import { request } from './sign-ups/request.ts'

const CONNECTIONS = 64
const SECONDS = 2
/** They cost little, and a difference as small as this one needs many. */
const MORE_ROUNDS = 2

interface Side {
  readonly server: OurServer
  /** Each in microseconds of the server's processor time a request. */
  readonly page: number[]
  readonly signUps: number[]
}

/**
 * What the page and a sign-up cost the processor of a server that is measured, and of one that is
 * not, taking turns: other work on the machine weighs less on that than on how many there are a
 * second. The one whose turn it is not stands still.
 *
 * @param other another folder with the server's source and a build, which takes the place of the one
 *   that is not measured: such as that of an earlier commit.
 */
export async function measureMetrics(rounds: number, other?: string): Promise<Findings> {
  const side = (server: OurServer): Side => ({ server, page: [], signUps: [] })
  const off = side(await startOurServer('metrics-off', other ? { root: other } : {}))
  const on = side(await startOurServer('metrics-on', { env: { METRICS_PORT: '0' } }))
  const visitors = [off, on].map(({ server }) => ourVisitors(server.url).signUp)
  const sides = [off, on] as const
  // The first round warms up.
  for (let round = 0; round <= rounds * MORE_ROUNDS; round++)
    // Each is first as often as second.
    for (const one of round % 2 === 0 ? sides : sides.toReversed()) {
      const { server, page, signUps } = one
      const text = request('GET', `${server.url}/`, {})
      const look = function* () {
        yield text
      }
      server.resume()
      const [ofPage, ofSignUps] = [
        await costOf(server, look),
        await costOf(server, visitors[sides.indexOf(one)] as Visitor),
      ]
      await server.pause()
      if (round > 0) page.push(ofPage)
      if (round > 0) signUps.push(ofSignUps)
    }
  await Promise.all(sides.map(({ server }) => server.stop()))

  const rows = (what: string, name: 'page' | 'signUps'): Row[] => [
    { what: `${what}, metrics on`, figure: figure(on[name]), unit: 'µs' },
    { what: 'the same, metrics off', figure: figure(off[name]), unit: 'µs' },
    {
      what: `${what}, on over off`,
      figure: ratio(on[name], off[name]),
      unit: '×',
      budget: { must: 1.1, aim: 1.05, better: 'less' },
    },
  ]
  return { rows: [...rows('GET /', 'page'), ...rows('sign-up', 'signUps')] }
}

async function costOf({ url, pid }: OurServer, visitor: Visitor): Promise<number> {
  const load = { url, visitor, connections: CONNECTIONS, seconds: SECONDS }
  const before = processorTime(pid)
  const { perSecond } = await generateLoad(load)
  return (processorTime(pid) - before) / (perSecond * SECONDS)
}
