import { figure, ratio } from './figures.ts'
import { inTurns } from './in-turns.ts'
import { startOurServer } from './our-server.ts'
import type { Findings, Row } from './report.ts'
import type { Visitor } from './sign-ups/generate-load.ts'
import { ourVisitors } from './sign-ups/our-visitors.ts'
import { rateOf } from './sign-ups/rate-of.ts'
import { BROWSER, request } from './sign-ups/request.ts'

/** A few per cent are seen only in many. */
const MORE_ROUNDS = 3
/** Three per cent, which is what can be measured. */
const budget = { must: 0.97, aim: 1, better: 'more' } as const
const TAGGED = '?ref=newsletter&utm_campaign=launch'

/**
 * What counting costs: pages and sign-ups a second of a server that counts visits and keeps sources,
 * and of one that does neither, taking turns. Pages are opened along a link with tags; sign-ups come
 * without tags, and with them: then there is one more row to write for each.
 */
export async function measureVisits(rounds: number): Promise<Findings> {
  const servers = {
    off: await startOurServer('uncounted', { env: { VISITS: 'off' } }),
    page: await startOurServer('counted', { env: { VISITS: 'page' } }),
  }
  const all = Object.values(servers)
  await Promise.all(all.map((server) => server.pause()))
  const sides = (visitorOf: (url: string) => Visitor) => ({
    off: () => rateOf(servers.off, visitorOf(servers.off.url)),
    page: () => rateOf(servers.page, visitorOf(servers.page.url)),
  })
  const pages = await inTurns(rounds * MORE_ROUNDS, sides(openPage))
  const untagged = await inTurns(rounds * MORE_ROUNDS, sides(signUp('')))
  const tagged = await inTurns(rounds * MORE_ROUNDS, sides(signUp(TAGGED)))
  for (const server of all) server.resume()
  await Promise.all(all.map((server) => server.stop()))
  const [pageOff, pageOn, pageRatio] = compared('GET /', pages)
  const [signUpOff, signUpOn, signUpRatio] = compared('sign-up', untagged)
  return {
    rows: [
      ...[pageOff, pageOn, { ...pageRatio, budget }],
      ...[signUpOff, signUpOn, { ...signUpRatio, budget }],
      ...compared('sign-up with a source', tagged),
    ],
  }
}

const openPage = (url: string): Visitor => {
  const text = request('GET', `${url}/${TAGGED}`, BROWSER)
  return function* () {
    yield text
  }
}

const signUp = (tags: string) => (url: string) =>
  ourVisitors(url, { Referer: `${url}/${tags}` }).signUp

function compared(
  what: string,
  rates: Readonly<Record<'off' | 'page', number[]>>,
): [Row, Row, Row] {
  return [
    { what: `${what}, VISITS=off`, figure: figure(rates.off), unit: '/s' },
    { what: `${what}, VISITS=page`, figure: figure(rates.page), unit: '/s' },
    { what: `${what}, VISITS=page over off`, figure: ratio(rates.page, rates.off), unit: '×' },
  ]
}
