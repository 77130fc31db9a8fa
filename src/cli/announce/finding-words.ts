import type { May } from '../../announcement/run/findings.ts'
import { commandLine } from '../../product/command-line.ts'
import type { Finding } from '../../shared/finding.ts'
import type { Found, FoundCode, FoundOf, KeyProblem } from '../../shared/found.ts'
import { factOf } from '../../shared/found-words.ts'

/** A finding as the terminal says it, with the option or the command that helps. */
export function findingInWords(found: Found): Finding {
  const { what, detail } = factOf(found)
  const remedy = remedies[found.code] as ((found: Found) => string) | undefined
  return { what, verdict: found.verdict, detail: detail + (remedy?.(found) ?? '') }
}

const remedies: { readonly [C in FoundCode]?: (found: FoundOf<C>) => string } = {
  'list-on-hold': () => ', and if it is right, say so with "restore --list-is-right"',
  'sender-record': ({ is }) => (is === 'unnamed' ? ': name it with --dkim-selector' : ''),
  'letter-changed': () => '; a new announcement needs a new file name',
  invitation: ({ publicKey }) =>
    publicKey
      ? ''
      : `, or by ${commandLine('invitations --public-key')}, which prints the public key for your product`,
  'invitation-key': ({ wrong }) => anew(wrong.code),
  earlier({ about, isLeftOut, isAlone }) {
    if (!isLeftOut) return isAlone ? ', as --also-who-got says' : ''
    const whom = isAlone ? 'them too' : 'those of them who got none of the others'
    return `; --also-who-got ${about} tells ${whom}`
  },
  'told-since': () => '. With --also-who-got all they are; a new letter reaches the others alone',
  'left-out': ({ about }) =>
    about === 'quarantined' ? `; ${commandLine('quarantine')} shows who is in quarantine now` : '',
  'page-not-set': () =>
    '; the command "open" with your product\'s address opens it: docs/opening.md',
  'page-not-yet': ({ verdict }) =>
    verdict === 'note' ? ', which --force overrides like every other' : '',
  'page-closed-again': () => '. The command "open" with your product\'s address opens it again',
}

/** When findings are said: by a dry run, before the first letter, or after a wave was sent. */
export type SaidWhen = 'dry' | 'first' | 'later'

/** Whether sending goes on. */
export function mayInWords(may: May, when: SaidWhen): string | undefined {
  if (may === 'fatal') return 'Nothing is sent until the problems above are solved.'
  if (may === 'go') return undefined
  if (when === 'dry')
    return may === 'forced'
      ? 'With --force, it would be sent in spite of the problems above.'
      : 'Nothing would be sent because of the problems above. Solve them, or send with --force.'
  if (may === 'forced') return 'Going on in spite of the problems above, because of --force.'
  return when === 'later'
    ? 'Nothing more is sent. Solve the problems above, or give the same command again with --force.'
    : 'Nothing is sent. Solve the problems above, or add --force.'
}

/** How to begin with another key. */
export const anew = (code: KeyProblem['code']) =>
  code === 'key-gone' || code === 'key-other'
    ? ` If it is lost or known to others, ${commandLine('invitations --new-key')} begins with another one.`
    : ''
