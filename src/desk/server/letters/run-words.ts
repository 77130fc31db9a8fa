import type { Refusal } from '../../../announcement/refusal.ts'
import type { LogLine } from '../../../announcement/run/log-line.ts'
import { counted, grouped } from '../../../shared/counted.ts'
import { endInWords } from '../../../shared/end-words.ts'
import type { Found, FoundOf } from '../../../shared/found.ts'
import { factOf, keyProblemInWords } from '../../../shared/found-words.ts'
import { ASK } from '../../../store/delivery-ledger.ts'
import type { FindingShown } from '../../contract/letters.ts'
import { deskPaths } from '../../contract/pages.ts'

/** A finding as the desk says it, with the field or the page of the desk that helps. */
export function findingShown(name: string, found: Found): FindingShown {
  const isFine = found.verdict === 'fine'
  return { ...factOf(found), verdict: found.verdict, ...(!isFine && helpFor(name, found)) }
}

type Help = Pick<FindingShown, 'advice' | 'link'>

function helpFor(name: string, found: Found): Help {
  const letter = `${deskPaths.letters}/${name}`
  switch (found.code) {
    case 'list-on-hold':
      return { link: { href: deskPaths.people, label: 'Look at the list' } }
    case 'mail-server':
      return {
        advice: 'Check SMTP_URL in the settings of the server, and ask your provider.',
      }
    case 'unsubscribing':
      return {
        advice:
          'The server must answer at that address with this LINK_KEY: check PUBLIC_URL and UNSUBSCRIBE_URL.',
      }
    case 'sender-record':
      return { advice: recordAdvice(found) }
    case 'time':
      return { advice: 'Send faster, if your provider allows it, or in stages.' }
    case 'letter-changed':
      return {
        link: { href: `${deskPaths.letters}/new?copy=${name}`, label: 'Make it a new letter' },
      }
    case 'earlier':
      return found.isLeftOut
        ? { advice: 'To tell them too, choose it under “How it is sent”.' }
        : {}
    case 'left-out':
      return found.about === 'quarantined'
        ? { link: { href: `${deskPaths.people}?standing=quarantined`, label: 'Look at them' } }
        : {}
    case 'page-not-set':
    case 'page-not-yet':
    case 'page-closed-again':
      return { link: { href: deskPaths.opening, label: 'Set when it opens' } }
    case 'letter-no-postal-address':
      return {}
    default:
      return /^(letter|invitation)-(?!key)/.test(found.code)
        ? {
            link: { href: `${letter}/edit${inLanguage(found.language)}`, label: 'Edit the letter' },
          }
        : {}
  }
}

/** The query of what is done with a translation. */
export const inLanguage = (code: string | undefined) => (code ? `?language=${code}` : '')

function recordAdvice({ about, is }: FoundOf<'sender-record'>): string {
  if (is === 'unnamed')
    return 'Type the selector that your mail provider names, under “How it is sent”.'
  if (about === 'DMARC')
    return 'Set the record at your DNS provider; v=DMARC1; p=none is a beginning.'
  const set = 'Set the record at your DNS provider, as your mail provider names it'
  return about === 'DKIM'
    ? `${set}, or look at the selector.`
    : `${set}. It may take a day to be seen.`
}

/** Why nothing is sent, or nothing more. */
export function refusalShown(refusal: Refusal): string {
  switch (refusal.code) {
    case 'nothing-to-retry':
      return 'It was sent to nobody yet, so there is nothing to send again.'
    case 'no-such-announcement':
      return `There is no earlier letter "${refusal.id}" any more.`
    case 'other-plan':
      return `"${refusal.id}" goes out in waves, and some are left. They are sent from a terminal.`
    case 'no-waves-any-more':
      return `"${refusal.id}" no longer goes out in waves.`
    case 'another-runs':
      return `A letter is being sent on ${refusal.host}, by process ${refusal.pid}. If that is dead, this can be sent in a minute.`
    case 'overtaken':
      return 'Stopped: another run has begun meanwhile and goes on.'
    case 'other-key-since':
      return 'Stopped: invitations got a new key after this began, and codes of the old key are void. Go on, and the rest get codes of the new key.'
    case 'imbalance':
      return `Nobody got it: ${grouped(refusal.eligible)} are to be told, but ${grouped(refusal.rows)} have a row.`
    case 'letter-name':
    case 'letter-name-taken':
      return `A letter’s name has small letters, digits and hyphens, and is not "${ASK}".`
    case 'letter-unreadable':
      return `The letter cannot be read: ${refusal.answer}`
    case 'letter-mistakes':
      return refusal.mistakes.join('\n')
    default:
      return keyProblemInWords(refusal)
  }
}

/** A line of a run's log. @param stopShare from 0 to 1. */
export function lineInWords(line: LogLine, stopShare: number): string[] {
  switch (line.code) {
    case 'found': {
      const wrong = line.found.filter(({ verdict }) => verdict !== 'fine' && verdict !== 'note')
      const lines = wrong.map(factOf).map(({ what, detail }) => `${what}: ${detail}`)
      return [...lines, ...(line.may === 'go' ? [] : [mayShown[line.may]])]
    }
    case 'settled':
      return [
        `An earlier run was cut off: ${counted(line.uncertain, 'person', 'people')} may have the letter or not.`,
      ]
    case 'begun':
      return [`${grouped(line.toSend)} to send.`]
    case 'stopping':
      return ['Stopping: messages under way are finished first.']
    case 'ended':
      return [endInWords({ ...line, queued: line.tally.queued }, stopShare)]
    case 'refused':
      return [refusalShown(line.refusal)]
    case 'settings':
      return [line.mistakes]
    case 'store-away':
      return [line.answer]
    case 'fault':
      return [line.text]
  }
}

const mayShown = {
  fatal: 'Nothing is sent until that works.',
  problem: 'Nothing is sent. Put that right, or send it in spite of problems.',
  forced: 'Going on in spite of that, as you chose.',
}
