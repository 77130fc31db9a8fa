import type { Refusal } from '../../../announcement/refusal.ts'
import { parseShare, USUAL_STOP_SHARE } from '../../../announcement/sending/sending-numbers.ts'
import { askedByLetter } from '../../../shared/asked-by-letter.ts'
import { counted, grouped } from '../../../shared/counted.ts'
import { type EndCode, endInWords as sendEndInWords } from '../../../shared/end-words.ts'
import type { Found, FoundCode, FoundOf } from '../../../shared/found.ts'
import { factOf, keyProblemInWords } from '../../../shared/found-words.ts'
import { orUndefined } from '../../../shared/or-undefined.ts'
import { inWords, type Words } from '../../../shared/refused.ts'
import { type Announcement, ASK, type Tally } from '../../../store/delivery-ledger.ts'
import { machineOf, type Run } from '../../../store/run-lock.ts'
import { type FindingShown, inLanguage } from '../../contract/letters.ts'
import { deskPaths } from '../../contract/pages.ts'

/**
 * A finding as the desk says it, with the field or the page of the desk that helps.
 *
 * @param isOpen whether the letter can still be changed.
 */
export function findingShown(name: string, found: Found, isOpen: boolean): FindingShown {
  const isFine = found.verdict === 'fine'
  return { ...factOf(found), verdict: found.verdict, ...(!isFine && helpFor(name, found, isOpen)) }
}

type Help = Pick<FindingShown, 'advice' | 'link'>

const linkTo = (href: string, label: string): Help => ({ link: { href, label } })

/** What helps with a finding of a letter. Those about its text are put right in the text. */
function helpFor(name: string, found: Found, isOpen: boolean): Help {
  const help = helps[found.code] as ((found: Found, name: string) => Help) | undefined
  if (help) return help(found, name)
  if (!/^(letter|invitation)-(?!key)/.test(found.code)) return {}
  if (!isOpen) return asNew(name)
  const edit = `${deskPaths.letters}/${name}/edit${inLanguage(found.language)}`
  return linkTo(edit, 'Edit the letter')
}

const asNew = (name: string) =>
  linkTo(`${deskPaths.letters}/new?copy=${name}`, 'Make it a new letter')

const setOpening = () => linkTo(deskPaths.opening, 'Set when it opens')

const helps: { readonly [C in FoundCode]?: (found: FoundOf<C>, name: string) => Help } = {
  'list-on-hold': () => linkTo(deskPaths.today, 'What to do'),
  'mail-server': () => ({
    advice: 'Check SMTP_URL in the settings of the server, and ask your provider.',
  }),
  unsubscribing: () => ({
    advice:
      'The server must answer at that address with this LINK_KEY: check PUBLIC_URL and UNSUBSCRIBE_URL.',
  }),
  'sender-record': (found) => ({ advice: recordAdvice(found) }),
  time: () => ({ advice: 'Send faster, if your provider allows it, or in stages.' }),
  'letter-changed': (_found, name) => asNew(name),
  earlier({ isLeftOut, isAlone }) {
    const which = isAlone ? 'that letter' : 'each letter that they got'
    return isLeftOut ? { advice: `To tell them too, tick ${which} under “How it is sent”.` } : {}
  },
  'told-since': () => ({
    advice:
      'To tell them twice, tick the other letter under “How it is sent”. A new letter reaches the others alone.',
  }),
  'left-out': ({ about }) =>
    about === 'quarantined'
      ? linkTo(`${deskPaths.people}?standing=quarantined`, 'Who is in quarantine now')
      : {},
  'page-not-set': setOpening,
  'page-not-yet': setOpening,
  'page-closed-again': setOpening,
  'letter-no-postal-address': () => ({}),
}

function recordAdvice({ about, is }: FoundOf<'sender-record'>): string {
  if (is === 'unnamed')
    return 'Under “How it is sent”, type the selector that your mail provider gave you.'
  if (about === 'DMARC')
    return 'Set this record at your DNS provider, to begin with: “v=DMARC1; p=none”'
  const set = 'Set the record at your DNS provider, as your mail provider names it'
  return about === 'DKIM'
    ? `${set}, or correct the selector.`
    : `${set}. It may take a day to be seen.`
}

/** Why nothing is sent, or nothing more. */
export const refusalShown = (refusal: Refusal): string => inWords(refusals, refusal)

const letterName = () =>
  `A name has only a–z, 0–9 and hyphens, such as launch-2. "${ASK}" and what begins with ${askedByLetter.map((asked) => `"${asked}"`).join(' or ')} are taken.`

const refusals: Words<Refusal> = {
  'nothing-to-retry': () => 'It was sent to nobody yet, so there is nothing to send again.',
  'letter-asks': ({ id }) =>
    `"${id}" was sent as a letter that asks, from a terminal. For news, give the letter another name.`,
  'no-such-announcement': ({ id }) => `There is no earlier letter "${id}" any more.`,
  'another-runs': ({ host, pid }) =>
    `A letter is being sent on ${machineOf({ host })}, by process ${pid}. If that process is dead, this letter can be sent in a minute.`,
  overtaken: () => 'Stopped: another run has begun meanwhile and goes on.',
  imbalance: ({ eligible, rows }) =>
    `Nobody got it: it is for ${counted(eligible, 'person', 'people')}, but ${grouped(rows)} are in its queue. Check again.`,
  'letter-name': letterName,
  'letter-name-taken': letterName,
  'letter-unreadable': ({ answer }) => `The letter cannot be read: ${answer}`,
  'letter-mistakes': ({ mistakes }) => mistakes.join('\n'),
  'key-gone': keyProblemInWords,
  'key-other': keyProblemInWords,
  'no-issuer': keyProblemInWords,
  'key-in-use': keyProblemInWords,
  'key-unusable': keyProblemInWords,
}

/** How a run ended: by its own words, or by their absence. */
export function endInWords(
  { notes: { end, found = [], stopShare = USUAL_SHARE ?? 0 } }: Run,
  announcement: Announcement | undefined,
  { queued, uncertain }: Pick<Tally, 'queued' | 'uncertain'>,
): string {
  if (!end || end.why === 'ended') return interrupted(announcement, queued, uncertain)
  const { why, answer, refusal } = end
  if (refusal) return orUndefined(() => refusalShown(refusal as Refusal)) ?? UNSAID
  if (isHeldBack(why)) return `${heldBack[why]} ${foundInWords(found.filter(isProblem)).join('; ')}`
  if (why === 'not-begun') return NOT_BEGUN
  const said: unknown = sendEndInWords({ why: why as EndCode, answer, queued }, stopShare)
  return typeof said === 'string' ? said : answer || UNSAID
}

const USUAL_SHARE = parseShare(USUAL_STOP_SHARE)

const UNSAID = 'The last run did not say why it ended.'

const NOT_BEGUN =
  'The last run did not begin. What it said is in the file of that name beside the letter, which ends in .log.'

function interrupted(announcement: Announcement | undefined, queued: number, uncertain: number) {
  if (!announcement) return 'The last run was interrupted before it sent anything.'
  if (queued > 0 || announcement.eligible === undefined)
    return 'The last run was interrupted. It can go on where it ended: nobody gets it twice.'
  const perhaps =
    uncertain > 0 ? `; ${counted(uncertain, 'person', 'people')} may have the letter or not` : ''
  return `The last run was interrupted. Nobody is left to be told${perhaps}.`
}

/** What was wrong, in lines. Of another version, or a hostile hand, a finding says nothing. */
export const foundInWords = (found: readonly Found[]): string[] => [
  ...new Set(found.flatMap((one) => orUndefined(() => said(one)) ?? [])),
]

function said(found: Found): string {
  const { what, detail } = factOf(found)
  return `${what}: ${detail}`
}

const isProblem = ({ verdict }: Found) => verdict === 'problem' || verdict === 'fatal'

const heldBack = {
  fatal: 'Nothing is sent until the problems are solved.',
  problem: 'Nothing is sent. Solve these problems, or send it in spite of them.',
} as const

const isHeldBack = (why: string): why is keyof typeof heldBack => Object.hasOwn(heldBack, why)
