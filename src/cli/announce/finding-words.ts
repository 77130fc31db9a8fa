import type { May } from '../../announcement/run/findings.ts'
import { commandLine } from '../../product/command-line.ts'
import type { Finding } from '../../shared/finding.ts'
import {
  type Found,
  type FoundCode,
  type FoundOf,
  type KeyProblem,
  problemKey,
} from '../../shared/found.ts'
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
  invitation: ({ isKeyThere }) =>
    isKeyThere ? '' : `, or by ${commandLine('invitations --jwks')}`,
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
  'page-not-yet': ({ verdict }) => (verdict === 'note' ? ', which --before-opening overrides' : ''),
  'page-closed-again': () => '. The command "open" with your product\'s address opens it again',
}

/** When findings are said: by a dry run, before the first letter, or after a wave was sent. */
export type SaidWhen = 'dry' | 'first' | 'later'

/** By what name `--force` overrides a problem. @example `spf`, `letter-link` */
const problemName = (found: Found) =>
  found.code === 'sender-record' ? found.about.toLowerCase() : found.code

/** An opening that lies ahead: letters that lead to "Coming Soon" cannot be taken back. */
const isAhead = ({ code }: Found) => code === 'page-not-yet'

export interface Overrides {
  /** Names of problems, as `problemName` gives them. */
  readonly force?: readonly string[]
  /** Keys of problems. */
  readonly forceProblem?: readonly string[]
  readonly beforeOpening?: boolean
}

/** Whether the command line overrides a problem: it names each one, so none is overridden unseen. */
export const overriddenBy =
  ({ force = [], forceProblem = [], beforeOpening = false }: Overrides) =>
  (found: Found): boolean =>
    forceProblem.includes(problemKey(found)) ||
    (isAhead(found) ? beforeOpening : force.includes(problemName(found)))

/** The options that override the problems among these. @example `--force spf --before-opening` */
function optionsFor(found: readonly Found[]): string {
  const problems = found.filter(({ verdict }) => verdict === 'problem')
  const names = new Set(problems.filter((one) => !isAhead(one)).map(problemName))
  return [
    ...(names.size > 0 ? [`--force ${[...names].join(',')}`] : []),
    ...(problems.some(isAhead) ? ['--before-opening'] : []),
  ].join(' ')
}

/** Whether sending goes on. */
export function mayInWords(found: readonly Found[], may: May, when: SaidWhen): string | undefined {
  const options = optionsFor(found)
  if (may === 'fatal') return 'Nothing is sent until the problems above are solved.'
  if (may === 'go') return undefined
  if (when === 'dry')
    return may === 'forced'
      ? `With ${options}, it would be sent in spite of the problems above.`
      : `Nothing would be sent because of the problems above. Solve them, or send with ${options}.`
  if (may === 'forced') return `Going on in spite of the problems above, because of ${options}.`
  return when === 'later'
    ? `Nothing more is sent. Solve the problems above, or give the same command again with ${options}.`
    : `Nothing is sent. Solve the problems above, or add ${options}.`
}

/** How to begin with another key. */
export const anew = (code: KeyProblem['code']) =>
  code === 'key-gone' || code === 'key-other'
    ? ` If it is lost or known to others, ${commandLine('invitations --new-key')} begins with another one.`
    : ''
