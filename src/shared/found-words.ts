import { MOST_TO_A_MAILBOX } from './address-folding.ts'
import { counted, grouped } from './counted.ts'
import { duration } from './duration.ts'
import type { Found, FoundCode, FoundOf, KeyProblem, ProbeProblem } from './found.ts'
import { localDay } from './local-time.ts'
import { spokenInBoth } from './zoned-time.ts'

/** A finding in words, the same in every face. Each face adds what to do about it. */
export function factOf(found: Found): { readonly what: string; readonly detail: string } {
  const detail = facts[found.code] as (found: Found) => string
  const where = found.language ? `in “${found.language}”, ` : ''
  return { what: names[found.code] ?? nameOf(found), detail: where + detail(found) }
}

const names: Readonly<Partial<Record<FoundCode, string>>> = {
  'list-on-hold': 'List',
  'mail-server': 'Mail server',
  'mail-ascii-only': 'Mail server',
  'letter-changed': 'Text',
  'left-out': 'Left out',
  earlier: 'Other letter',
  'told-since': 'Other letter',
}

/** The first word of a code, or which record it is. */
function nameOf(found: Found): string {
  if (found.code === 'sender-record' || found.code === 'received') return found.about
  if (found.code === 'mail-not-set') return found.about
  const [word = ''] = found.code.split('-')
  return `${word[0]?.toUpperCase()}${word.slice(1)}`
}

const facts: { readonly [C in FoundCode]: (found: FoundOf<C>) => string } = {
  'list-on-hold': () => 'came from a copy that anybody may have written: look at it',
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
  'mail-not-set': () => 'is not set',
  received({ about, is, domain, by }) {
    if (is === 'passed')
      return by && by !== domain ? `passes for ${domain}, by ${by}` : `passes for ${domain}`
    if (is !== 'of-another')
      return is === 'none' ? 'found nothing' : `says ${is}${by && ` for ${by}`}`
    return about === 'SPF'
      ? `passes for ${by}, where bounces go, and not for ${domain}: so DMARC needs DKIM of ${domain}`
      : `passes for ${by}: let your mail provider sign with ${domain} as well`
  },
  time({ toSend, perSecond, rate, limit, awayMs, seconds }) {
    const speed = perSecond < 10 ? perSecond.toFixed(1) : grouped(Math.floor(perSecond))
    const what = `${grouped(toSend)} to send`
    if (toSend === 0) return what
    if (limit === 'rate') return `${what} at ${rate}: this will take ${duration(seconds)}`
    return `${what}. ${rate} are set, but the ${limit} takes ${spokenMs(awayMs)} to answer: about ${speed} a second, so this will take about ${duration(seconds)}. The run shows the real speed`
  },
  'letter-link': ({ about }) => `a link leads to "${about}"; write its whole address, https://…`,
  'letter-picture': ({ about }) =>
    `the picture "${about}" is not on the web; put it on a server, and write https://…`,
  'letter-no-picture': ({ about }) => `there is no picture at ${about}`,
  'letter-no-words': () => 'it has no words: readers who see no pictures get an empty letter',
  'letter-no-postal-address': () =>
    'names no postal address; CAN-SPAM (16 CFR 316) wants one in commercial mail to the USA: postalAddress in product.config.ts',
  'letter-too-long': ({ bytes }) =>
    `is ${grouped(Math.ceil(bytes / 1000))} kB of HTML: Gmail shows about the first 100 kB, and the link to unsubscribe comes after that; shorten it, or put a part on a page and link to it`,
  'letter-changed': ({ sent }) => `is not as it was when ${counted(sent, 'subscriber')} got it`,
  'invitation-in-picture': ({ about }) =>
    `the picture "${about}" has the code in its address: mail programs would ask for it without a click; put the code into a link`,
  'invitation-in-the-open': ({ about }) =>
    `the link "${about}" would carry the code in the open; write https://…`,
  'invitation-in-host': ({ about }) =>
    `the link "${about}" has the code in the name of its server, which every network on the way sees; put it after the name, as in https://app.example.com/join?code={{invitation}}`,
  'invitation-unseen': () =>
    '{{invitation}} is where readers cannot see it: put it into a link, or into the text',
  invitation: ({ days, until, isKeyThere }) =>
    `valid for ${counted(days, 'day')}, from now until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC${isKeyThere ? '' : '; its key is made when the first one is sent'}`,
  'invitation-key': ({ wrong }) => keyProblemInWords(wrong),
  earlier: ({ about, begunAt, isLeftOut, isAlone }) =>
    `"${about}", begun ${localDay(new Date(begunAt))}: those who got it are ${isLeftOut ? 'left out' : isAlone ? 'told once more' : 'told once more, unless they also got one that leaves them out'}`,
  'told-since': ({ people }) =>
    `${counted(people, 'person', 'people')} in the queue got another announcement since this one began, and would be told twice`,
  'left-out': ({ about, people }) => `${grouped(people)} ${reasons[about] ?? about}`,
  'page-not-set': () => 'says Coming Soon',
  'page-no-url': () =>
    'PUBLIC_URL is not set, so it cannot be checked whether visitors see it open',
  'page-no-url-now': () =>
    'says Coming Soon: it was open when letters left, and PUBLIC_URL is not set now',
  'page-not-yet': ({ at, zone, verdict }) =>
    `opens ${spokenInBoth(new Date(at), zone)}, and says Coming Soon until then${verdict === 'note' ? '; a letter that is sent before then meets this as a problem' : ''}`,
  'page-open': ({ site }) => `${site} is open for visitors`,
  'page-closed-again': ({ site }) =>
    `${site} says Coming Soon again: it was open when letters left`,
  'page-otherwise': ({ site }) =>
    `you took the opening back after letters left, but ${site} does not say Coming Soon: look at what it shows`,
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

/** Why recipients are left out. */
const reasons: Readonly<Record<string, string>> = {
  told: 'who got another announcement',
  confirmed: 'who confirmed',
  answer: 'who gave another answer, or none',
  answered: 'who have answered the question',
  came: 'who became users',
  heard: 'who heard from you in the last 60 days, or answered',
  mailbox: `whose mailbox gets ${MOST_TO_A_MAILBOX} letters already, at other addresses`,
  unmailable: 'to whose address no letter can be sent',
  quarantined: 'quarantined for signs of a robot',
  pending: 'who said that it was not them',
  bounced: 'whose mailbox refuses letters',
  unsubscribed: 'who unsubscribed',
  complained: 'who complained',
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
