import type { May } from '../../announcement/run/findings.ts'
import { capitalized } from '../../shared/capitalized.ts'
import { counted, grouped, localized } from '../../shared/counted.ts'
import { duration } from '../../shared/duration.ts'
import type { Finding, FindingCode, FindingOf, ProbeProblem } from '../../shared/finding.ts'
import { localDay } from '../../shared/local-time.ts'
import type { Act, Note } from '../../shared/report.ts'
import { type Sentence, say, translated } from '../../shared/say.ts'
import { fill } from '../../shared/sentence-slots.ts'
import type { Verdict } from '../../shared/verdict.ts'
import { spokenInBoth } from '../../shared/zoned-time.ts'
import type { SuppressionReason } from '../../store/delivery-ledger.ts'
import { reasonInWords } from '../../terminal/standing-words.ts'
import words from './finding.json' with { type: 'json' }

/** The letter that is told of. */
export interface LetterSeen {
  /** What sends it at a terminal, after our tool's name. @example `announce launch.md` */
  readonly command: string
  /** Its name at the desk, where it can be changed. */
  readonly letter?: string | undefined
  /** Whether it may still be changed under that name. */
  readonly isOpen?: boolean
}

/** What was found before a letter is sent, and what helps. @param seen left out without a letter. */
export function findingNote(found: Finding, seen: LetterSeen = noLetter): Note {
  const values = Object.entries(found).map(([name, value]) => [name, String(value)])
  const sentence = plain[found.code]
  const text = sentence
    ? fill(translated(sentence), Object.fromEntries(values))
    : (facts[found.code as ComputedCode] as (found: Finding) => string)(found)
  const { code, ...data } = found
  const act = found.verdict === 'fine' ? undefined : actFor(found, seen)
  return {
    ...{
      code,
      label: translated(names[code] ?? nameOf(found)),
      data: { ...data, ...(act && seen) },
    },
    text: (found.language ? say('in “{language}”, ', { language: found.language }) : '') + text,
    ...weightOf(found),
    ...(act && { act }),
  }
}

const noLetter: LetterSeen = { command: 'check-mail' }

const weights: Readonly<Partial<Record<Verdict, NonNullable<Note['weight']>>>> = {
  fine: 'good',
  unknown: 'look',
  problem: 'bad',
  fatal: 'bad',
}

/** How a verdict weighs. */
export function weightOf({ verdict }: { readonly verdict: Verdict }): Pick<Note, 'weight'> {
  const weight = weights[verdict]
  return weight ? { weight } : {}
}

const names: Readonly<Record<string, string | undefined>> = words.names
const plain: Readonly<Record<string, string | undefined>> = words.facts

/** The first word of a code, or which record it is. */
function nameOf(found: Finding): string {
  if (['sender-record', 'mail-not-set', 'codes'].includes(found.code) && 'about' in found)
    return found.about
  const [word = ''] = found.code.split('-')
  return capitalized(word)
}

/** What helps; what is wrong in the text of a letter is put right there. */
function actFor(found: Finding, seen: LetterSeen): Act | undefined {
  const act = acts[found.code] as ((found: Finding) => Act | undefined) | undefined
  if (act) return act(found)
  if (!found.code.startsWith('letter-') || found.code === 'letter-no-postal-address')
    return undefined
  if (!seen.letter) return undefined
  if (!seen.isOpen) return asNew()
  return {
    code: found.language ? 'edit-translation' : 'edit-letter',
    words: say('Edit the letter'),
  }
}

const asNew = (): Act => ({ code: 'new-letter', words: say('Make it a new letter') })

const toOpen = (): Act => ({
  code: 'open',
  words: say('To open it now'),
  command: 'open https://…',
})

const acts: { readonly [C in FindingCode]?: (found: FindingOf<C>) => Act | undefined } = {
  'list-on-hold': () => ({
    ...{ code: 'list-is-right', words: say('If it is right') },
    command: 'restore --list-is-right',
  }),
  'sender-record': ({ is }) =>
    is === 'unnamed'
      ? {
          ...{
            code: 'how-it-is-sent',
            words: say('Name the one that your mail provider gave you'),
          },
          command: '<command> --dkim-selector <selector>',
        }
      : undefined,
  'letter-changed': asNew,
  earlier: ({ isLeftOut, isAlone }) =>
    isLeftOut
      ? tellAgain(
          isAlone
            ? say('To tell them too')
            : say('To tell those of them who got none of the others'),
        )
      : undefined,
  'told-since': () => ({
    ...tellAgain(say('A new letter reaches the others alone. To tell all of them')),
    command: '<command> --also-who-got all',
  }),
  'left-out': ({ about }) =>
    about === 'quarantined'
      ? { code: 'quarantine', words: say('Who is in quarantine now'), command: 'quarantine' }
      : undefined,
  'page-not-set': toOpen,
  'page-not-yet': toOpen,
  'page-closed-again': toOpen,
}

const tellAgain = (words: string): Act => ({
  ...{ code: 'how-it-is-sent', words },
  command: '<command> --also-who-got <about>',
})

type ComputedCode = Exclude<FindingCode, keyof typeof words.facts>

/** The sentences that depend on more than what was found. */
const facts: { readonly [C in ComputedCode]: (found: FindingOf<C>) => string } = {
  'mail-server': ({ answer }) =>
    answer
      ? say('{answer}; check SMTP_URL, or ask your mail provider', { answer })
      : say('accepts the connection'),
  'mail-ascii-only': ({ people }) =>
    say(
      'takes no address with letters outside ASCII before the @ (it has no SMTPUTF8), as {people} {end}: their letters will fail',
      { people: counted(people, 'recipient'), end: people === 1 ? say('has') : say('have') },
    ),
  database: ({ ms }) => say('answers in {ms}', { ms: spokenMs(ms) }),
  unsubscribing: ({ url, wrong }) =>
    probeInWords(url, wrong, 'unsubscribe') +
    (wrong ? say('; check PUBLIC_URL and UNSUBSCRIBE_URL') : ''),
  confirming: ({ url, wrong }) => probeInWords(url, wrong, 'answer'),
  'sender-record': ({ about, is, name, answer }) =>
    ({
      there: `${name}: ${answer}`,
      missing: say('{name} has no record; set one at your DNS provider: TXT {record}', {
        name,
        record: say(records[about]),
      }),
      several: say('{name} has {answer} records, and may have only one', { name, answer }),
      away: say('{name} could not be looked up ({answer})', { name, answer }),
      unnamed: say('its selector is not named'),
    })[is],
  time({ toSend, perSecond, rate, limit, awayMs, seconds }) {
    const speed = perSecond < 10 ? localized(perSecond.toFixed(1)) : grouped(Math.floor(perSecond))
    const what = say('{toSend} to send', { toSend: grouped(toSend) })
    if (toSend === 0) return what
    if (limit === 'rate')
      return say('{what} at {rate}: this will take {seconds}', {
        what,
        rate,
        seconds: duration(seconds),
      })
    return say(
      '{what}. {rate} are set, but the {limit} takes {awayMs} to answer: about {speed} a second, so this will take about {seconds}. The run shows the real speed',
      {
        what,
        rate,
        limit: say(limit),
        awayMs: spokenMs(awayMs),
        speed,
        seconds: duration(seconds),
      },
    )
  },
  'letter-too-long': ({ bytes }) =>
    say(
      'is {kB} kB of HTML: Gmail shows about the first 100 kB, and the link to unsubscribe comes after that; shorten it, or put a part on a page and link to it',
      { kB: grouped(Math.ceil(bytes / 1000)) },
    ),
  'letter-changed': ({ sent }) =>
    say('is not as it was when {sent} got it; news needs a letter of another name', {
      sent: counted(sent, 'subscriber'),
    }),
  earlier: ({ about, begunAt, isLeftOut, isAlone }) =>
    say('"{about}", begun {begunAt}: those who got it are {end}', {
      about,
      begunAt: localDay(new Date(begunAt)),
      end: isLeftOut
        ? say('left out')
        : isAlone
          ? say('told once more')
          : say('told once more, unless they also got one that leaves them out'),
    }),
  'told-since': ({ people }) =>
    say(
      '{people} in the queue got another announcement since this one began, and would be told twice',
      { people: counted(people, 'person', 'people') },
    ),
  'left-out': ({ about, people }) =>
    `${grouped(people)} ${reasonInWords(about as SuppressionReason)}`,
  'page-not-yet': ({ at, zone, verdict }) =>
    say('opens {at}, and says Coming Soon until then{end}', {
      at: spokenInBoth(new Date(at), zone),
      end:
        verdict === 'note'
          ? say('; a letter that is sent before then meets this as a problem')
          : '',
    }),
  'page-away': ({ host, answer, wasOpen }) =>
    say('{end}{host} cannot be reached: {answer}', {
      end: wasOpen ? say('it was open when letters left, and now ') : '',
      host,
      answer,
    }),
  'page-cached': ({ site, cache }) =>
    say(
      '{site} is still served from a cache{cache}, in front of a server that is open: purge that cache, or let it ask the server each time (cache-control: no-cache)',
      { site, cache: inBrackets(cache) },
    ),
  'page-other-button': ({ site, about, url, cache }) =>
    say(
      'the button at {site} leads to {about} instead of {url}: that page is an old copy{cache}, or another server’s',
      { site, about, url, cache: inBrackets(cache) },
    ),
  'page-other-site': ({ site, status, addresses }) =>
    say(
      '{site} answers {status}, but not with your Coming Soon page; {placeOf}: is that your server? If you changed the DNS lately, wait',
      { site, status, placeOf: placeOf(addresses) },
    ),
  'page-old-build': ({ site, addresses }) =>
    say(
      '{site} says Coming Soon, and cannot open: it is an old build, or one for Firebase that was built without opening; {placeOf}. Update and start your server again, or build and deploy the page',
      { site, placeOf: placeOf(addresses) },
    ),
  'page-other-store': ({ site, addresses }) =>
    say(
      '{site} says Coming Soon. The server there has another list than this command, or its page is built for Firebase without opening; {placeOf}. Is that your server, with the same DATA_DIR and STORE?',
      { site, placeOf: placeOf(addresses) },
    ),
}

function probeInWords(
  url: string,
  wrong: ProbeProblem | undefined,
  act: 'unsubscribe' | 'answer',
): string {
  if (!wrong) return say('{url} works', { url })
  if (wrong.code === 'away')
    return say('{url} cannot be reached: {answer}', { url, answer: wrong.answer })
  if (wrong.code === 'status')
    return say('{url} answers {status} instead of 200', { url, status: wrong.status })
  const why = {
    'other-server': say('answers 404: it is another server, or has another LINK_KEY'),
    'other-list': say('answers, but not with this LINK_KEY and these subscribers'),
    'other-page': say('answers with another page'),
  }
  return say('{url} {why}: nobody could {act}', { url, why: why[wrong.code], act: say(act) })
}

/** What a record may be, as DNS providers ask for it. */
const records: Readonly<Record<'SPF' | 'DKIM' | 'DMARC', Sentence>> = {
  SPF: 'v=spf1 include:NAME ~all (the help of your mail provider says which NAME)',
  DKIM: 'v=DKIM1; k=rsa; p=KEY (your mail provider has made the key; a CNAME is as good)',
  DMARC: 'v=DMARC1; p=none',
}

export const HELD = 'No letter leaves until these problems are solved.'

/** Whether letters leave in spite of what was found; nothing where no problem was. */
export function heldNote(found: readonly Finding[], may: May, seen: LetterSeen): Note[] {
  if (may === 'go') return []
  if (may === 'forced')
    return [
      { code: 'forced', text: say('Letters leave in spite of these problems.'), weight: 'look' },
    ]
  const held: Note = {
    ...{ code: 'held', text: say(HELD), weight: 'bad' },
    data: { ...seen },
  }
  const command = `<command> ${overriding(found)}`
  const act = { code: 'force', words: say('To send it in spite of them'), command }
  return [may === 'fatal' ? held : { ...held, act }]
}

/** By what name `--force` overrides a problem. @example `spf`, `letter-link` */
export const problemName = (found: Finding) =>
  found.code === 'sender-record' ? found.about.toLowerCase() : found.code

/** An opening that lies ahead: letters that lead to "Coming Soon" cannot be taken back. */
export const isAhead = ({ code }: Finding) => code === 'page-not-yet'

/** The options that override the problems among these. @example `--force spf --before-opening` */
function overriding(found: readonly Finding[]): string {
  const problems = found.filter(({ verdict }) => verdict === 'problem')
  const named = new Set(problems.filter((one) => !isAhead(one)).map(problemName))
  return [
    ...(named.size > 0 ? [`--force ${[...named].join(',')}`] : []),
    ...(problems.some(isAhead) ? ['--before-opening'] : []),
  ].join(' ')
}

const spokenMs = (ms: number) => `${Math.ceil(ms)} ms`

const inBrackets = (cache: string) => cache && ` (${cache})`

const placeOf = (addresses: readonly string[]) =>
  addresses.length > 0
    ? say('from here it is at {addresses}', { addresses: addresses.join(', ') })
    : say('it is not in the DNS')
