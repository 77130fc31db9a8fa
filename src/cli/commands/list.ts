import { languageIn } from '../../people/known-fields.ts'
import { mayBeWrittenTo, standings } from '../../people/standing.ts'
import type { Store } from '../../store/store.ts'
import { noneOfEach } from '../../store/subscriber-list.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { inPieces } from '../../terminal/pieces.ts'
import { leftOut } from '../../terminal/standing-words.ts'
import { counted, localTime } from '../../terminal/words.ts'
import { answerMeant } from '../answer-meant.ts'
import { runWithStore } from '../run.ts'
import { type AddressOptions, addressesMeant } from './addresses-meant.ts'
import { type TimeOptions, timeRange } from './time-range.ts'

export interface ListOptions extends TimeOptions, AddressOptions {
  /** Includes those who may not be mailed. */
  readonly all?: boolean
  /** Only those who gave this answer. */
  readonly answered?: string
  readonly json?: boolean
}

const WIDEST = Math.max(...standings.map(({ length }) => length))

/** `list`: subscribers who may be mailed, or all, as they came on the list, as a table for people. */
export async function list(store: Pick<Store, 'list'>, options: ListOptions, out: Out) {
  const { all = false, json } = options
  const isMeant = addressesMeant(options)
  const saidIt = options.answered === undefined ? () => true : answerMeant(options.answered)
  const left = noneOfEach()
  const { dim, yellow } = out.style
  const pieces = inPieces(out)
  let count = 0
  for await (const page of store.list.pages({ ...timeRange(options), standing: 'all' }))
    for (const one of page) {
      if (!isMeant(one.email) || !saidIt(one.extra)) continue
      if (!all && !mayBeWrittenTo(one.standing)) {
        left[one.standing] += 1
        continue
      }
      count += 1
      const { email, subscribedAt, standing } = one
      const mark = standing === 'subscribed' ? dim : yellow
      const stands = `${mark(standing.padEnd(WIDEST))}  `
      const language = languageIn(one.extra)
      const speaks = language ? dim(`  ${language}`) : ''
      const full = json
        ? pieces.json({ ...one, source: undefined, language })
        : pieces.line(`${dim(localTime(subscribedAt))}  ${all ? stands : ''}${email}${speaks}`)
      if (full) await full
    }
  await pieces.end()
  if (!json)
    out.say(
      `${all ? counted(count, 'person', 'people') : counted(count, 'subscriber')}.${leftOut(left)}`,
    )
  return exitCodes.done
}

export const fromCommandLine = (options: ListOptions & { readonly output?: string }) =>
  runWithStore({ ...options, looks: true }, (store, out) => list(store, options, out))
