import type { GoogleAnswer } from '../../checks/firebase.ts'
import type { SiteFinding } from '../../checks/site.ts'
import { weightOf } from '../../report/makers/finding.ts'
import type { Note } from '../../shared/report.ts'
import { fill } from '../../shared/sentence-slots.ts'
import words from './probed.json' with { type: 'json' }

type Sentences<Code extends string> = Readonly<Record<Code, readonly string[]>>
type Values = Readonly<Record<string, unknown>>

const ofSite: Sentences<SiteFinding['code']> = words.site
const calls: Sentences<Extract<SiteFinding, { code: 'forbidden' }>['call']> = words.calls

/** A finding of a deployed page, with what the operator can do about it. */
export function siteNote(found: SiteFinding): Note {
  const values = Object.entries({ ...found, ...inSite(found) })
  const texts = Object.fromEntries(values.map(([name, value]) => [name, String(value)]))
  const [label = '', text = ''] = ofSite[found.code].map((sentence) => fill(sentence, texts))
  const { code, ...data } = found
  return { code, label, text, data, ...weightOf(found) }
}

/** What the sentence of a finding needs besides its data. */
function inSite(found: SiteFinding): Values {
  switch (found.code) {
    case 'away':
      return { answered: answered(found.status) }
    case 'shows':
      return { shown: found.leadsTo ? `open, and leads to ${found.leadsTo}` : 'coming soon' }
    case 'no-configuration': {
      const { why } = found
      if (why === 'own-server' || why === 'none') return { reason: words.noConfiguration[why] }
      return { reason: answered(why === 'silent' ? undefined : why) }
    }
    case 'turned-away': {
      const { answer, site, step } = found
      const advice = adviceFor(answer, new URL(site).origin)
      const what = step === 'sign-in' ? 'Sign-in' : 'Sign-up'
      return { what, problem: answer.problem, advice, quote: quoteOf(answer) }
    }
    case 'forbidden': {
      const [what, doing = ''] = calls[found.call]
      return { what, doing, refused: notRefused(found.answer) }
    }
    default:
      return {}
  }
}

const answered = (status: number | undefined) =>
  status === undefined ? 'does not answer' : `answered ${status}`

function notRefused(answer: GoogleAnswer | undefined): string {
  if (!answer) return ' is refused'
  return answer.status === 200
    ? ' IS ALLOWED: deploy the rules'
    : `: Google answered ${answer.problem}${quoteOf(answer)}`
}

/** Advice for an error of Google's; empty if there is none. Specific errors are matched first. */
function adviceFor({ problem, reason }: GoogleAnswer, origin: string): string {
  const said = `${problem} ${reason}`
  const [, advice] = words.advice.find(([sign = '']) => new RegExp(sign).test(said)) ?? []
  return advice === undefined ? '' : `: ${fill(advice, { origin })}`
}

const QUOTED_LENGTH = 300

/** Google's own message, which often links to the page of the setting. */
function quoteOf({ problem, reason }: GoogleAnswer): string {
  return reason === '' || reason === problem ? '' : ` (Google: ${reason.slice(0, QUOTED_LENGTH)})`
}
