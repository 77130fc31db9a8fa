import type { Refusal } from '../../announcement/refusal.ts'
import type { May } from '../../announcement/run/findings.ts'
import { commandLine } from '../../product/command-line.ts'
import type { Finding } from '../../shared/finding.ts'
import type { Found } from '../../shared/found.ts'
import { factOf, keyProblemInWords } from '../../shared/found-words.ts'
import { ASK } from '../../store/delivery-ledger.ts'

/** A finding as the terminal says it, with the option or the command that helps. */
export function findingInWords(found: Found): Finding {
  const { what, detail } = factOf(found)
  return { what, verdict: found.verdict, detail: detail + remedyOf(found) }
}

function remedyOf(found: Found): string {
  switch (found.code) {
    case 'list-on-hold':
      return ', and if it is right, say so with "restore --list-is-right"'
    case 'sender-record':
      return found.is === 'unnamed' ? ': name it with --dkim-selector' : ''
    case 'letter-changed':
      return '; a new announcement needs a new file name'
    case 'invitation':
      return found.publicKey
        ? ''
        : `, or by ${commandLine('invitations --public-key')}, which prints the public one for your product`
    case 'invitation-key':
      return anew(found.wrong.code)
    case 'earlier':
      return found.isLeftOut
        ? `; --also-who-got ${found.about} tells them too`
        : ', as --also-who-got says'
    case 'left-out':
      return found.about === 'quarantined' ? '; the command quarantine has them' : ''
    case 'page-not-set':
      return '; the command "open" with an address turns it: docs/opening.md'
    case 'page-closed-again':
      return '. The command "open" with an address turns it'
    default:
      return ''
  }
}

/** Whether sending goes on. @param isLater whether a wave was sent since the command was given. */
export function mayInWords(may: May, isLater: boolean): string | undefined {
  if (may === 'fatal') return 'Nothing is sent until that works.'
  if (may === 'forced') return 'Going on in spite of that, because of --force.'
  if (may === 'go') return undefined
  return isLater
    ? 'Nothing more is sent. Put that right, or give the same command again with --force: it overrides what is found at its start.'
    : 'Nothing is sent. Put that right, or override it with --force.'
}

/** Why nothing is sent, or no more. */
export function refusalInWords(refusal: Refusal): string {
  switch (refusal.code) {
    case 'nothing-to-retry':
      return refusal.id === ASK
        ? 'Nobody was asked yet, so there is nothing to retry.'
        : `There is no announcement "${refusal.id}" yet, so there is nothing to retry.`
    case 'no-such-announcement':
      return `--also-who-got: there is no announcement "${refusal.id}"`
    case 'other-plan': {
      const { id, waves, every, isAsked } = refusal
      const plan = `--waves ${waves} --every ${every}`
      return isAsked
        ? `"${id}" goes out by another plan: ${plan}. Repeat that to go on, or add --change-plan to tell the rest by the new one.`
        : `"${id}" goes out in waves, and not everybody is told. To go on: ${plan}. To tell the rest at once: --change-plan.`
    }
    case 'no-waves-any-more':
      return `"${refusal.id}" no longer goes out in waves.`
    case 'another-runs':
      return `An announcement is running on ${refusal.host} as process ${refusal.pid}. If it is dead, its lock runs out within a minute.`
    case 'overtaken':
      return 'Stopped: another run has begun meanwhile and goes on.'
    case 'other-key-since':
      return 'Stopped: invitations got a new key after this began, and codes of the old key are void. The same command goes on with the new key.'
    case 'imbalance':
      return `Nobody was mailed: ${refusal.eligible} subscribers are to be told, but ${refusal.rows} have a row.`
    case 'letter-name':
      return `${refusal.file}: its name is the name of the announcement, and may have only small letters, digits and hyphens`
    case 'letter-name-taken':
      return `${refusal.file}: its name is the name of the announcement, and "${ASK}" is taken: the command ask sends that`
    case 'letter-unreadable':
      return `${refusal.file}: cannot be read: ${refusal.answer}`
    case 'letter-mistakes':
      return refusal.mistakes.map((mistake) => `${refusal.file}: ${mistake}`).join('\n')
    default:
      return keyProblemInWords(refusal) + anew(refusal.code)
  }
}

const anew = (code: Refusal['code']) =>
  code === 'key-gone' || code === 'key-other'
    ? ` If it is lost or known to others, ${commandLine('invitations --new-key')} begins with another one.`
    : ''
