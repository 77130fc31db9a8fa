import { setImmediate as turn } from 'node:timers/promises'
import { batches } from '../../shared/batches.ts'
import { parseEmail } from '../../shared/email.ts'
import { mailboxOf } from '../../shared/mailbox.ts'
import type { Standings } from '../../store/standing.ts'
import type { SubscriberList } from '../../store/subscriber-list.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Out } from '../terminal/out.ts'
import { counted, grouped, localTime } from '../terminal/words.ts'
import { type TimeOptions, timeRange } from './time-range.ts'

export interface ForgetManyOptions extends TimeOptions {
  /** A pattern of addresses, in which `*` matches any text. */
  readonly matching?: readonly string[]
  /** All addresses of the same mailbox as this one. */
  readonly mailbox?: string
  /** The count that the command showed without this option; only then are they forgotten. */
  readonly yesCount?: number
  readonly signal: AbortSignal
  readonly json?: boolean
}

const SAMPLES = 10
const TURN = 1000
const BATCH = 100

/**
 * `forget` of many: first shows and counts who would be forgotten. With that count given, it
 * forgets them. It can be stopped at any time; the next run shows and counts the rest.
 */
export async function forgetMany(
  store: SubscriberList & Pick<Standings, 'forgetAll'>,
  options: ForgetManyOptions,
  out: Out,
) {
  const { yesCount, signal, json } = options
  const isMeant = selector(options)
  // The end of the range is fixed, so that later sign-ups are not included.
  const range = { until: new Date(), ...timeRange(options) }

  async function* meant() {
    let seen = 0
    for await (const one of store.stream({ ...range, standing: 'all' })) {
      seen += 1
      // Yields to the event loop, so that Ctrl-C is handled also when the store answers
      // synchronously.
      if (seen % TURN === 0) await turn()
      if (signal.aborted) return
      if (isMeant(one.email)) yield one
    }
  }

  let count = 0
  const samples: string[] = []
  for await (const { email, subscribedAt } of meant()) {
    count += 1
    if (count <= SAMPLES) samples.push(`${out.style.dim(localTime(subscribedAt))}  ${email}\n`)
    out.progress(`${counted(count, 'subscriber')} found`)
  }
  if (signal.aborted) return exitCodes.stopped
  if (count !== yesCount || count === 0) {
    if (json) await out.write(`${JSON.stringify({ found: count, forgotten: 0 })}\n`)
    else if (yesCount === undefined) for (const sample of samples) await out.write(sample)
    const others = count > SAMPLES ? `, of whom the first ${SAMPLES} are shown` : ''
    const found = `${counted(count, 'subscriber')} would be forgotten${others}.`
    if (yesCount !== undefined && count > 0)
      throw new OperatorError(
        `${found} That is not the count given, so look again. Nothing was changed.`,
      )
    const next = count > 0 ? ` The same again with --yes-count ${count} forgets them.` : ''
    out.say(`${found}${next} Nothing was changed.`)
    return exitCodes.done
  }

  let forgotten = 0
  for await (const some of batches(meant(), BATCH)) {
    await store.forgetAll(some.map(({ email }) => email))
    await turn()
    forgotten += some.length
    out.progress(`${grouped(forgotten)} of ${grouped(count)} forgotten`)
  }
  if (json) await out.write(`${JSON.stringify({ found: count, forgotten })}\n`)
  out.say(
    `${counted(forgotten, 'subscriber')} forgotten.${signal.aborted ? ` Stopped: look again for the rest.` : ''} Back-ups and exports from before still have them.`,
  )
  return signal.aborted ? exitCodes.stopped : exitCodes.done
}

/** @throws OperatorError for criteria that match everybody or nobody. */
function selector({ matching = [], mailbox, since, until }: ForgetManyOptions) {
  if (matching.length === 0 && mailbox === undefined && since === undefined && until === undefined)
    throw new OperatorError(
      'Name an address, or whom to forget: --since, --until, --matching, --mailbox.',
    )
  const patterns = matching.map(patternOf)
  const email = mailbox === undefined ? undefined : parseEmail(mailbox)
  if (mailbox !== undefined && email === undefined)
    throw new OperatorError(`--mailbox: "${mailbox}" is not an e-mail address.`)
  const box = email && mailboxOf(email)
  return (one: string) =>
    (patterns.length === 0 || patterns.some((pattern) => pattern.test(one))) &&
    (box === undefined || mailboxOf(one) === box)
}

/** @throws OperatorError for a pattern that can match no valid address. */
function patternOf(pattern: string): RegExp {
  if (pattern === '' || pattern.length > 254 || pattern.split('*').length > 5)
    throw new OperatorError(
      `--matching: "${pattern}" must be like *@example.com, with four stars at most`,
    )
  const literal = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const parts = pattern.toLowerCase().split('*').map(literal)
  return new RegExp(`^${parts.join('.*')}$`, 'su')
}
