import { MOST_TO_A_MAILBOX } from './address-folding.ts'
import { counted, grouped } from './counted.ts'
import { duration } from './duration.ts'
import type { Found, FoundCode, FoundOf, KeyProblem, ProbeProblem } from './found.ts'
import words from './found-words.json' with { type: 'json' }
import { localDay } from './local-time.ts'
import { fill } from './slots.ts'
import { spokenInBoth } from './zoned-time.ts'

/** A finding in words, the same in every face. Each face adds what to do about it. */
export function factOf(found: Found): { readonly what: string; readonly detail: string } {
  const values = Object.entries(found).map(([name, value]) => [name, String(value)])
  const sentence = plain[found.code]
  const detail = sentence
    ? fill(sentence, Object.fromEntries(values))
    : (facts[found.code as ComputedCode] as (found: Found) => string)(found)
  const where = found.language ? `in “${found.language}”, ` : ''
  return { what: names[found.code] ?? nameOf(found), detail: where + detail }
}

const names: Readonly<Record<string, string | undefined>> = words.names
const plain: Readonly<Record<string, string | undefined>> = words.facts
/** Why recipients are left out. */
const leftOut: Readonly<Record<string, string | undefined>> = words.leftOut

/** The first word of a code, or which record it is. */
function nameOf(found: Found): string {
  if (found.code === 'sender-record' || found.code === 'mail-not-set') return found.about
  const [word = ''] = found.code.split('-')
  return `${word[0]?.toUpperCase()}${word.slice(1)}`
}

type ComputedCode = Exclude<FoundCode, keyof typeof words.facts>

/** The sentences that depend on more than what was found. */
const facts: { readonly [C in ComputedCode]: (found: FoundOf<C>) => string } = {
  'mail-server': ({ answer }) => answer ?? 'accepts the connection',
  'mail-ascii-only': ({ people }) =>
    `takes no address with letters outside ASCII before the @ (it has no SMTPUTF8), as ${counted(people, 'recipient')} ${people === 1 ? 'has' : 'have'}: their letters will fail`,
  database: ({ ms }) => `answers in ${spokenMs(ms)}`,
  unsubscribing: ({ url, wrong }) => probeInWords(url, wrong, 'unsubscribe'),
  confirming: ({ url, wrong }) => probeInWords(url, wrong, 'answer'),
  'sender-record': ({ is, name, answer }) =>
    ({
      there: `${name}: ${answer}`,
      missing: `${name} has no record`,
      several: `${name} has ${answer} records, and may have only one`,
      away: `${name} could not be looked up (${answer})`,
      unnamed: 'its selector is not named',
    })[is],
  time({ toSend, perSecond, rate, limit, awayMs, seconds }) {
    const speed = perSecond < 10 ? perSecond.toFixed(1) : grouped(Math.floor(perSecond))
    const what = `${grouped(toSend)} to send`
    if (toSend === 0) return what
    if (limit === 'rate') return `${what} at ${rate}: this will take ${duration(seconds)}`
    return `${what}. ${rate} are set, but the ${limit} takes ${spokenMs(awayMs)} to answer: about ${speed} a second, so this will take about ${duration(seconds)}. The run shows the real speed`
  },
  'letter-too-long': ({ bytes }) =>
    `is ${grouped(Math.ceil(bytes / 1000))} kB of HTML: Gmail shows about the first 100 kB, and the link to unsubscribe comes after that; shorten it, or put a part on a page and link to it`,
  'letter-changed': ({ sent }) => `is not as it was when ${counted(sent, 'subscriber')} got it`,
  invitation: ({ days, until, isKeyThere }) =>
    `valid for ${counted(days, 'day')}, from now until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC${isKeyThere ? '' : '; its key is made when the first one is sent'}`,
  'invitation-key': ({ wrong }) => keyProblemInWords(wrong),
  earlier: ({ about, begunAt, isLeftOut, isAlone }) =>
    `"${about}", begun ${localDay(new Date(begunAt))}: those who got it are ${isLeftOut ? 'left out' : isAlone ? 'told once more' : 'told once more, unless they also got one that leaves them out'}`,
  'told-since': ({ people }) =>
    `${counted(people, 'person', 'people')} in the queue got another announcement since this one began, and would be told twice`,
  'left-out': ({ about, people }) =>
    `${grouped(people)} ${fill(leftOut[about] ?? about, { most: String(MOST_TO_A_MAILBOX) })}`,
  'page-not-yet': ({ at, zone, verdict }) =>
    `opens ${spokenInBoth(new Date(at), zone)}, and says Coming Soon until then${verdict === 'note' ? '; a letter that is sent before then meets this as a problem' : ''}`,
  'page-away': ({ host, answer, wasOpen }) =>
    `${wasOpen ? 'it was open when letters left, and now ' : ''}${host} cannot be reached: ${answer}`,
  'page-cached': ({ site, cache }) =>
    `${site} is still served from a cache${inBrackets(cache)}, in front of a server that is open: purge that cache, or let it ask the server each time (cache-control: no-cache)`,
  'page-other-button': ({ site, about, url, cache }) =>
    `the button at ${site} leads to ${about} instead of ${url}: that page is an old copy${inBrackets(cache)}, or another server’s`,
  'page-other-site': ({ site, status, addresses }) =>
    `${site} answers ${status}, but not with your Coming Soon page; ${placeOf(addresses)}: is that your server? If you changed the DNS lately, wait`,
  'page-old-build': ({ site, addresses }) =>
    `${site} says Coming Soon, and cannot open: it is an old build, or one for Firebase that was built without opening; ${placeOf(addresses)}. Update and start your server again, or build and deploy the page`,
  'page-other-store': ({ site, addresses }) =>
    `${site} says Coming Soon. The server there has another list than this command, or its page is built for Firebase without opening; ${placeOf(addresses)}. Is that your server, with the same DATA_DIR and STORE?`,
}

function probeInWords(url: string, wrong: ProbeProblem | undefined, act: string): string {
  if (!wrong) return `${url} works`
  if (wrong.code === 'away') return `${url} cannot be reached: ${wrong.answer}`
  if (wrong.code === 'status') return `${url} answers ${wrong.status} instead of 200`
  const why = {
    'other-server': 'answers 404: it is another server, or has another LINK_KEY',
    'other-list': 'answers, but not with this LINK_KEY and these subscribers',
    'other-page': 'answers with another page',
  }
  return `${url} ${why[wrong.code]}: nobody could ${act}`
}

/** Why invitations cannot be signed. */
export function keyProblemInWords(wrong: KeyProblem): string {
  if (wrong.code === 'key-gone')
    return `invitation.key, which signs invitations, is not in ${wrong.dataDir}. Put it back from a back-up.`
  if (wrong.code === 'key-other')
    return `Invitations were signed with another key so far: its public key is ${wrong.known}, and that of this key is ${wrong.publicKey}. Put the former key back.`
  if (wrong.code === 'no-issuer') return 'PUBLIC_URL is not set: it names who issued an invitation.'
  if (wrong.code === 'key-unusable') return wrong.answer
  return 'INVITATION_KEY is the key that is in use: set another one first.'
}

const spokenMs = (ms: number) => `${Math.ceil(ms)} ms`

const inBrackets = (cache: string) => cache && ` (${cache})`

const placeOf = (addresses: readonly string[]) =>
  addresses.length > 0 ? `from here it is at ${addresses.join(', ')}` : 'it is not in the DNS'
