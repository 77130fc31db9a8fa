import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { figure, ratio } from '../figures.ts'
import { start, workFolder } from '../processes.ts'
import type { Findings, Row } from '../report.ts'
import { generateLoad, type LoadResult, type Visitor } from './generate-load.ts'
import { ourVisitors } from './our-visitors.ts'
import { parseVisitors, startParseServer } from './parse-server.ts'
import { newEmail, request } from './request.ts'

const CONNECTIONS = 64
const SECONDS = 2

interface Side {
  readonly what: string
  readonly url: string
  readonly visitor: Visitor
  readonly rounds: LoadResult[]
}

/** Sign-ups a second of our server, of bare Node and of a peer, taking turns. */
export async function measureSignUps(rounds: number, peerUrl?: string): Promise<Findings> {
  const raw = await start(process.execPath, [join(import.meta.dirname, 'raw-server.ts')], {
    ready: / is open at (\S+)/,
  })
  const dataDir = join(workFolder, 'sign-ups')
  mkdirSync(dataDir)
  const server = await start(process.execPath, ['src/server/main.ts'], {
    ready: / is open at (\S+)/,
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, RATE_LIMIT: '0', LOG_LEVEL: 'warn' },
  })
  const parse = await startParseServer()
  const rawUrl = raw.ready[1] as string
  const url = server.ready[1] as string
  const ours = await ourVisitors(url)

  const side = (what: string, sideUrl: string, visitor: Visitor): Side => ({
    ...{ what, url: sideUrl, visitor, rounds: [] },
  })
  const rawSide = side('bare node:http, the same POST', rawUrl, ours.signUp)
  const alone = side('sign-up alone', url, ours.signUp)
  const newcomer = side('newcomer: session, sign-in, sign-up', url, ours.newcomer)
  const sides = [rawSide, alone, side('returning: session, sign-up', url, ours.returning), newcomer]
  const ratios: (() => Row)[] = [
    () => ({
      what: 'sign-up alone over bare node:http',
      figure: ratio(rates(alone), rates(rawSide)),
      unit: '×',
      budget: { must: 0.6, aim: 0.75, better: 'more' },
    }),
  ]
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
    compareWith('newcomer over Parse Server', peerNew, newcomer, 15, 25)
  }
  if (peerUrl) {
    const peer = side(peerUrl, peerUrl, function* () {
      yield request('POST', peerUrl, {}, { email: newEmail() })
    })
    compareWith('sign-up alone over the peer', peer, alone, 0, 0)
  }

  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const one of sides) {
      const result = await generateLoad({ ...one, connections: CONNECTIONS, seconds: SECONDS })
      if (round > 0) one.rounds.push(result)
    }
  await Promise.all([raw.stop(), server.stop(), ...('stop' in parse ? [parse.stop()] : [])])
  return { rows: [...sides.flatMap(describe), ...ratios.map((row) => row())], notes }
}

const rates = (side: Side) => side.rounds.map(({ perSecond }) => perSecond)

function describe({ what, rounds }: Side): Row[] {
  const of = (key: keyof LoadResult) => figure(rounds.map((round) => round[key]))
  return [
    { what, figure: of('perSecond'), unit: '/s' },
    { what: `${what}, p50`, figure: of('p50'), unit: 'ms' },
    { what: `${what}, p99`, figure: of('p99'), unit: 'ms' },
  ]
}
