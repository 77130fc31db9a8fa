import { writeFileSync } from 'node:fs'
import { get, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { serve } from '../../scripts/serve.ts'
import { figure, ratio } from '../figures.ts'
import { startOurServer } from '../our-server.ts'
import type { Findings, Row } from '../report.ts'
import { generateLoad } from '../sign-ups/generate-load.ts'
import { BROWSER, request } from '../sign-ups/request.ts'
import { workFolder } from '../work-folder.ts'

const CONNECTIONS = 64
const SECONDS = 2
/** Headers that Node adds itself. */
const THEIR_OWN = ['connection', 'keep-alive', 'date', 'transfer-encoding']

/**
 * `GET /` a second of our server and of bare Node sending the same bytes, taking turns.
 */
export async function measurePageRequests(rounds: number): Promise<Findings> {
  const server = await startOurServer('page-requests')
  const { headers, body } = await answerOf(server.url)
  const recorded = join(workFolder, 'page.json')
  writeFileSync(recorded, JSON.stringify({ headers, body: body.toString('base64') }))
  const raw = await serve({}, [join(import.meta.dirname, 'raw-server.ts'), recorded])
  const sides = [
    { what: 'GET /, our server', url: server.url, rates: [] as number[] },
    { what: 'GET /, bare node:http sending the same bytes', url: raw.url, rates: [] },
  ]
  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const { url, rates } of sides) {
      const text = request('GET', `${url}/`, BROWSER)
      const visitor = function* () {
        yield text
      }
      const load = { url, visitor, connections: CONNECTIONS, seconds: SECONDS }
      const { perSecond } = await generateLoad(load)
      if (round > 0) rates.push(perSecond)
    }
  await Promise.all([server.stop(), raw.stop()])

  const [ours, bare] = sides.map(({ rates }) => rates) as [number[], number[]]
  const rows: Row[] = sides.map(({ what, rates }) => ({ what, figure: figure(rates), unit: '/s' }))
  rows.push({
    what: 'GET / over bare node:http',
    figure: ratio(ours, bare),
    unit: '×',
    budget: { must: 0.7, aim: 0.85, better: 'more' },
  })
  return { rows }
}

/** Our answer to a browser, byte by byte, without what every server adds by itself. */
function answerOf(url: string) {
  return new Promise<{ headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
    get(url, { headers: BROWSER }, async (answer) => {
      const body = Buffer.concat(await answer.toArray())
      resolve({ headers: own(answer.headers), body })
    }).on('error', reject)
  })
}

function own(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => !THEIR_OWN.includes(name))
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}
