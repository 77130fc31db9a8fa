import { countAnswers } from '../../audience/answers.ts'
import type { AnswerCounts } from '../../shared/answer-counts.ts'
import type { Store } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { columns, counted, grouped, percent } from '../../terminal/words.ts'
import { runWithStore } from '../run.ts'

/** How many answers are shown, and how wide the bar of the most frequent one is. */
const [SHOWN, WIDEST] = [20, 24]

/** `answers`: what people answered to the question of the page, as counts and bars. */
export async function answers(
  store: Pick<Store, 'list'>,
  { json }: { readonly json?: boolean },
  out: Out,
): Promise<number> {
  const counts = await countAnswers(store.list)
  if (json) {
    await out.json(counts)
    return exitCodes.done
  }
  const rows = answerBars(counts, SHOWN, out)
  if (rows.length > 0) await out.write(`${columns(rows, [1])}\n`)
  const left = counts.answers.length - rows.length
  if (left > 0) out.say(`${grouped(left)} more: --json shows them.`)
  if (counts.others > 0)
    out.say(
      `${counted(counts.others, 'person', 'people')} gave other answers, which are not counted one by one.`,
    )
  out.say(`${answersInWords(counts)}.`)
  return exitCodes.done
}

/** Rows of the most frequent answers: the answer, how many gave it, and a bar. */
export function answerBars({ answers }: AnswerCounts, most: number, out: Out): string[][] {
  return answers.slice(0, most).map(({ answer, people }) => {
    const share = people / (answers[0]?.people ?? 1)
    const bar = '█'.repeat(Math.max(1, Math.round(share * WIDEST)))
    return [answer, grouped(people), out.style.green(bar)]
  })
}

/** `12 of 300 subscribers answered (4 %)` */
export function answersInWords({ people, answered }: AnswerCounts): string {
  const share = people > 0 ? ` (${percent((100 * answered) / people)})` : ''
  return `${grouped(answered)} of ${counted(people, 'subscriber')} answered${share}`
}

export const fromCommandLine = (options: { readonly json?: boolean }) =>
  runWithStore({ looks: true }, (store, out) => answers(store, options, out))
