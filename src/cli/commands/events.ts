import { randomUUID } from 'node:crypto'
import { eventSettings } from '../../config/programs.ts'
import type { Receiver } from '../../events/receiver.ts'
import { receiverAt } from '../../events/receiver.ts'
import { commandLine } from '../../product/command-line.ts'
import type { Answer } from '../../queue/line.ts'
import { commands } from '../../shared/commands.ts'
import type { EventCounts, EventFeed, WaitingPerson } from '../../store/events.ts'
import type { Events } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { columns, counted, localTime } from '../../terminal/words.ts'
import { runWithStore, settingsOf } from '../run.ts'

export interface EventsOptions {
  /** Sends a test to it. */
  readonly receiver?: Receiver | undefined
  readonly pending?: boolean
  readonly replay?: boolean
  readonly json?: boolean
}

/** `--pending` names this many people. */
const MOST_NAMED = 100

/** `events`: what other systems have yet to be told, and how their receiver answers. */
export async function events(
  store: Events,
  { receiver, pending, replay, json }: EventsOptions,
  out: Out,
): Promise<number> {
  const answer = receiver && (await tested(store, receiver))
  const replayed = replay ? await store.replay(new Date()) : undefined
  const [feed, counts] = [await store.feed(), await store.counts()]
  const waiting = pending ? await store.waiting(MOST_NAMED) : undefined
  const code = answer && answer.kind !== 'taken' ? exitCodes.failed : exitCodes.done
  if (json) {
    const named = waiting?.map(({ person, queue: { items: events, ...queue } }) => ({
      ...{ person, ...queue, events },
    }))
    await out.json({ feed: feed ?? null, ...counts, test: answer, replayed, pending: named })
    return code
  }
  const named = waiting ?? []
  const lines = [
    receiver && answer && testInWords(receiver, answer),
    replayed !== undefined && `The waiting events of ${people(replayed)} are sent now.`,
    ...stateInWords(feed, counts, out),
    named.length > 0 && `\n${columns(named.map(inWords))}`,
    waiting && named.length < counts.people && `and ${people(counts.people - named.length)} more`,
  ]
  await out.write(`${lines.filter((line) => typeof line === 'string').join('\n')}\n`)
  return code
}

const people = (number: number) => counted(number, 'person', 'people')
const timeOf = (at: number) => localTime(new Date(at))

/** Where it arrives, what waits for a receiver that was away is due at once. */
async function tested(store: Events, receiver: Receiver): Promise<Answer> {
  const [id, now] = [`evt_${randomUUID()}`, new Date()]
  try {
    const answer = await receiver.send({ id, type: 'test', at: now }, now)
    const item = { id, type: 'left', at: now, person: NOBODY, lease: id } as const
    if (answer.kind === 'taken' && (await store.feed()))
      await store.settle([{ item, answer }], new Date())
    return answer
  } finally {
    receiver.close()
  }
}

/** The id of nobody. */
const NOBODY = '-'

function testInWords({ label }: Receiver, answer: Answer): string {
  if (answer.kind === 'taken') return `${label} accepted the test.`
  return `${label} did not accept the test${answer.kind === 'failed' ? `: ${answer.failure}` : ''}.`
}

function stateInWords(
  feed: EventFeed | undefined,
  { people: waiting, held, forgotten, oldest }: EventCounts,
  { style }: Out,
): (string | false | undefined)[] {
  if (!feed) return ['Events are off: the server has not been started with EVENTS.']
  const { isOn, types, failing, failure, notBefore, lastAt, dropped = 0 } = feed
  const is = isOn
    ? `Events are on: ${types.join(', ')}.`
    : 'Events are off: only erasures are still written.'
  const last = lastAt === undefined ? '' : ` The last one was taken at ${timeOf(lastAt)}.`
  const since = oldest === undefined ? '' : `, the oldest since ${timeOf(oldest)}`
  const erasures = forgotten > 0 ? ` ${counted(forgotten, 'erasure')} not acknowledged yet.` : ''
  const problems = [
    failing && `The receiver has taken nothing since ${timeOf(failing.since)}: ${failure}.`,
    notBefore !== undefined &&
      `It answered that it is gone (410). It is asked again ${timeOf(notBefore)}.`,
    dropped > 0 && `${counted(dropped, 'event')} that this version cannot read: dropped.`,
    held > 0 &&
      `The events of ${people(held)} have waited for a week, and are held. To send them now: ${commandLine(commands.sendHeldEvents)}`,
  ]
  return [
    `${is}${last}`,
    waiting === 0 ? 'Nothing waits.' : `Events of ${people(waiting)} wait${since}.${erasures}`,
    ...problems.map((problem) => problem && style.yellow(problem)),
  ]
}

function inWords({ person, queue }: WaitingPerson): string[] {
  const { email = '', items: all, dueAt, heldAt, failure, tries } = queue
  const next = dueAt === undefined ? '' : `next try ${dueAt <= Date.now() ? 'now' : timeOf(dueAt)}`
  const is = heldAt === undefined ? next : `held since ${timeOf(heldAt)}`
  const failed = failure === undefined ? '' : `failed ${counted(tries, 'time')}: ${failure}`
  return [person, email, all.map(({ type }) => type).join(', '), is, failed]
}

export async function fromCommandLine({
  test,
  ...options
}: Omit<EventsOptions, 'receiver'> & { readonly test?: boolean }): Promise<void> {
  const receiver = test ? receiverAt(settingsOf(eventSettings)) : undefined
  await runWithStore({ looks: !test && !options.replay }, (store, out) =>
    events(store.events, { ...options, receiver }, out),
  )
}
