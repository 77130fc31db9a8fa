import { randomUUID } from 'node:crypto'
import type { Receiver } from '../../events/receiver.ts'
import { commandLine } from '../../product/command-line.ts'
import type { Answer } from '../../queue/line.ts'
import { commands } from '../../shared/commands.ts'
import type { EventCounts, EventFeed, WaitingPerson } from '../../store/events.ts'
import type { Events } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { columns, counted, localTime } from '../../terminal/words.ts'

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
    const named = waiting?.map(({ person, queue }) => ({ person, ...queue }))
    const found = { feed: feed ?? null, ...counts, test: answer, replayed, pending: named }
    await out.json(found)
    return code
  }
  const lines = [
    ...(receiver && answer ? [testInWords(receiver, answer)] : []),
    ...(replayed === undefined
      ? []
      : [`The waiting events of ${counted(replayed, 'person', 'people')} are sent now.`]),
    ...stateInWords(feed, counts, out),
    ...(waiting && waiting.length > 0 ? ['', columns(waiting.map(inWords))] : []),
    ...(waiting && waiting.length < counts.people
      ? [`and ${counted(counts.people - waiting.length, 'person', 'people')} more`]
      : []),
  ]
  await out.write(`${lines.join('\n')}\n`)
  return code
}

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
  { people, held, forgotten, oldest }: EventCounts,
  { style }: Out,
): string[] {
  if (!feed) return ['Events are off: the server has not been started with EVENTS.']
  const { isOn, types, failing, failure, notBefore, lastAt, dropped = 0 } = feed
  const is = isOn
    ? `Events are on: ${types.join(', ')}.`
    : 'Events are off: only erasures are still written.'
  const last =
    lastAt === undefined ? '' : ` The last one was taken at ${localTime(new Date(lastAt))}.`
  const since = oldest === undefined ? '' : `, the oldest since ${localTime(new Date(oldest))}`
  const erasures = forgotten > 0 ? ` ${counted(forgotten, 'erasure')} not acknowledged yet.` : ''
  return [
    `${is}${last}`,
    people === 0
      ? 'Nothing waits.'
      : `Events of ${counted(people, 'person', 'people')} wait${since}.${erasures}`,
    ...(failing
      ? [
          style.yellow(
            `The receiver has taken nothing since ${localTime(new Date(failing.since))}: ${failure}.`,
          ),
        ]
      : []),
    ...(notBefore === undefined
      ? []
      : [
          style.yellow(
            `It answered that it is gone (410). It is asked again ${localTime(new Date(notBefore))}.`,
          ),
        ]),
    ...(dropped === 0
      ? []
      : [style.yellow(`${counted(dropped, 'event')} that this version cannot read: dropped.`)]),
    ...(held === 0
      ? []
      : [
          style.yellow(
            `The events of ${counted(held, 'person', 'people')} have waited for a week, and are held. To send them now: ${commandLine(commands.sendHeldEvents)}`,
          ),
        ]),
  ]
}

function inWords({ person, queue }: WaitingPerson): string[] {
  const { email = '', events: all, dueAt, heldAt, failure, tries } = queue
  const next =
    heldAt !== undefined
      ? `held since ${localTime(new Date(heldAt))}`
      : dueAt === undefined
        ? ''
        : `next try ${dueAt <= Date.now() ? 'now' : localTime(new Date(dueAt))}`
  const failed = failure === undefined ? '' : `failed ${counted(tries, 'time')}: ${failure}`
  return [person, email, all.map(({ type }) => type).join(', '), next, failed]
}
