import { join } from 'node:path'
import { paths } from '../../src/shared/api.ts'
import { figure, ratio } from '../figures.ts'
import { startOurServer } from '../our-server.ts'
import { start } from '../processes.ts'
import { processorTime } from '../processor.ts'
import type { Findings, Row } from '../report.ts'
import { generateLoad, type LoadResult, type Visitor } from './generate-load.ts'
import { ourVisitors } from './our-visitors.ts'
import { parseVisitors, startParseServer } from './parse-server.ts'
import { newEmail, nextEmail, request } from './request.ts'
import { usualLoad } from './usual-load.ts'

const CONNECTIONS = 64
const SECONDS = 2

interface Side {
  readonly what: string
  readonly url: string
  readonly visitor: Visitor
  /** Of the server, where all of its work is done by one process that we know. */
  readonly pid?: number
  readonly rounds: Round[]
}

/** Processor time is in microseconds a visitor. */
interface Round extends LoadResult {
  readonly server: number
  readonly generator: number
}

/** Sign-ups a second of our server, of bare Node and of a peer, taking turns. */
export async function measureSignUps(rounds: number, peerUrl?: string): Promise<Findings> {
  const raw = await start(process.execPath, [join(import.meta.dirname, 'raw-server.ts')], {
    ready: / is open at (\S+)/,
  })
  const server = await startOurServer('sign-ups')
  // A server of its own, whose list has only addresses in order.
  const orderly = await startOurServer('sign-ups-in-order')
  const parse = await startParseServer()
  const rawUrl = raw.ready[1] as string
  const { url } = server
  const ours = ourVisitors(url)

  const side = (what: string, sideUrl: string, visitor: Visitor, pid?: number): Side => ({
    what,
    url: sideUrl,
    visitor,
    rounds: [],
    ...(pid && { pid }),
  })
  const our = (what: string, visitor: Visitor) => side(what, url, visitor, server.pid)
  const rawSide = side('bare node:http, the same POST', rawUrl, ours.signUp, raw.pid)
  const alone = our('sign-up alone', ours.signUp)
  const newcomer = our('newcomer: session, sign-in, sign-up', ours.newcomer)
  const sides = [rawSide, alone, our('returning: session, sign-up', ours.returning), newcomer]
  const ratios: (() => Row)[] = [
    () => ({
      what: 'sign-up alone over bare node:http, the leanest load',
      figure: ratio(rates(alone), rates(rawSide)),
      unit: '×',
    }),
    () => ({
      what: 'the same, autocannon as load',
      figure: ratio(usual.ours, usual.raw),
      unit: '×',
      budget: { must: 0.45, aim: 0.55, better: 'more' },
    }),
    () => ({
      what: 'the same, autocannon, addresses in order',
      figure: ratio(usual.oursInOrder, usual.rawInOrder),
      unit: '×',
    }),
  ]
  const autocannon = await usualLoad()
  const usual: Record<'raw' | 'ours' | 'rawInOrder' | 'oursInOrder', number[]> = {
    raw: [],
    ours: [],
    rawInOrder: [],
    oursInOrder: [],
  }
  const load = { connections: CONNECTIONS, seconds: SECONDS }
  const { signedIn } = ours
  const { signedIn: signedInThere } = ourVisitors(orderly.url)
  const notes: string[] = []

  function compareWith(name: string, peer: Side, own: Side, must: number, aim: number) {
    sides.push(peer)
    ratios.push(() => ({
      what: name,
      figure: ratio(rates(own), rates(peer)),
      unit: '×',
      ...(must > 0 && { budget: { must, aim, better: 'more' } }),
    }))
  }

  if ('missing' in parse) notes.push(parse.missing)
  else {
    const visitors = await parseVisitors(parse.url)
    const peer = side('Parse Server: object alone', parse.url, visitors.signUp)
    const peerNew = side('Parse Server: newcomer', parse.url, visitors.newcomer)
    compareWith('sign-up alone over Parse Server', peer, alone, 5, 9)
    compareWith('newcomer over Parse Server', peerNew, newcomer, 15, 30)
  }
  if (peerUrl) {
    const peer = side(peerUrl, peerUrl, function* () {
      yield request('POST', peerUrl, {}, { email: newEmail() })
    })
    compareWith('sign-up alone over the peer', peer, alone, 0, 0)
  }

  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const one of sides) {
      const result = await oneRound(one)
      if (round > 0) one.rounds.push(result)
    }
    for (const [origin, headers, email, measured] of [
      [rawUrl, signedIn, newEmail, usual.raw],
      [url, signedIn, newEmail, usual.ours],
      [rawUrl, signedIn, nextEmail, usual.rawInOrder],
      [orderly.url, signedInThere, nextEmail, usual.oursInOrder],
    ] as const) {
      const rate = await autocannon({ url: origin + paths.subscribers, headers, email, ...load })
      if (round > 0) measured.push(rate)
    }
  }
  const others = 'stop' in parse ? [parse.stop()] : []
  await Promise.all([raw.stop(), server.stop(), orderly.stop(), ...others])
  return { rows: [...sides.flatMap(describe), ...ratios.map((row) => row())], notes }
}

async function oneRound(side: Side): Promise<Round> {
  const used = () => [processorTime(side.pid ?? 0), processorTime(process.pid)] as const
  const [server, generator] = used()
  const result = await generateLoad({ ...side, connections: CONNECTIONS, seconds: SECONDS })
  const [serverNow, generatorNow] = used()
  const visitors = result.perSecond * SECONDS
  return {
    ...result,
    server: (serverNow - server) / visitors,
    generator: (generatorNow - generator) / visitors,
  }
}

const rates = (side: Side) => side.rounds.map(({ perSecond }) => perSecond)

function describe({ what, rounds, pid }: Side): Row[] {
  const of = (key: keyof Round) => figure(rounds.map((round) => round[key]))
  return [
    { what, figure: of('perSecond'), unit: '/s' },
    { what: `${what}, p50`, figure: of('p50'), unit: 'ms' },
    { what: `${what}, p99`, figure: of('p99'), unit: 'ms' },
    ...(pid && !Number.isNaN(of('server').median)
      ? [
          { what: `${what}, processor time`, figure: of('server'), unit: 'µs' },
          { what: `${what}, that of the load generator`, figure: of('generator'), unit: 'µs' },
        ]
      : []),
  ]
}
