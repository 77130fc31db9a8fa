import { randomUUID } from 'node:crypto'
import { eventsFeed } from '../../checks/health.ts'
import { eventSettings } from '../../config/programs.ts'
import type { Receiver } from '../../events/receiver.ts'
import { receiverAt } from '../../events/receiver.ts'
import type { Answer } from '../../queue/waiting-line.ts'
import { healthNote, saidAnyway } from '../../report/makers/health.ts'
import { type Telling, tell } from '../../report/tell.ts'
import { type Figures, type Note, type Part, timeValue } from '../../shared/report.ts'
import type { EventFeed } from '../../store/events.ts'
import type { Events } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { counted } from '../../terminal/words.ts'
import { runWithStore, settingsOf } from '../run.ts'
import { testInWords } from './notify.ts'

export interface EventsOptions extends Telling {
  /** Sends a test to it. */
  readonly receiver?: Receiver | undefined
  readonly replay?: boolean
}

/** `events`: what other systems have yet to be told, and how their receiver answers. */
export async function events(
  store: Events,
  { receiver, replay, ...telling }: EventsOptions,
  out: Out,
): Promise<number> {
  const answer = receiver && (await tested(store, receiver))
  const replayed = replay ? await store.replay(new Date()) : undefined
  const [found] = await eventsFeed.probe({ store: { events: store } })
  const notes = [
    ...(receiver && answer ? [testNote(receiver, answer)] : []),
    ...(replayed === undefined ? [] : [replayedNote(replayed)]),
    found ? saidAnyway(healthNote(found)) : { code: 'off', text: 'Events are off: set EVENTS.' },
  ]
  const parts: Part[] = [{ part: 'notes', notes }, figuresOf(found?.feed, found?.oldest)]
  await tell({ title: 'Events', parts }, telling, out)
  return answer && answer.kind !== 'taken' ? exitCodes.failed : exitCodes.done
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

const testNote = ({ label }: Receiver, answer: Answer): Note => ({
  ...{ code: 'test', label: `The test at ${label}`, text: testInWords(answer) },
  data: { test: answer },
})

const replayedNote = (replayed: number): Note => ({
  code: 'replayed',
  text: `The waiting events of ${counted(replayed, 'person', 'people')} are sent now.`,
  data: { replayed },
})

const figuresOf = (feed: EventFeed | undefined, oldest: number | undefined): Figures => ({
  part: 'figures',
  figures: [
    {
      ...{ name: 'types', label: 'Told of', kind: 'text' },
      value: feed?.isOn ? feed.types.join(', ') : null,
    },
    { name: 'lastAt', label: 'Last told', kind: 'time', value: timeValue(feed?.lastAt) },
    { name: 'oldest', label: 'Oldest that waits', kind: 'time', value: timeValue(oldest) },
  ],
})

export async function fromCommandLine({
  test,
  ...options
}: Omit<EventsOptions, 'receiver'> & { readonly test?: boolean }): Promise<void> {
  const receiver = test ? receiverAt(settingsOf(eventSettings)) : undefined
  await runWithStore({ looks: !test && !options.replay }, (store, out) =>
    events(store.events, { ...options, receiver }, out),
  )
}
