import { randomUUID } from 'node:crypto'
import { notifySettings } from '../../config/programs.ts'
import type { Place } from '../../notices/place.ts'
import { placesOf } from '../../notices/places.ts'
import product from '../../product/product.ts'
import type { Answer } from '../../queue/line.ts'
import type { PlaceState } from '../../store/notices.ts'
import type { Notices } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { columns, counted, localTime } from '../../terminal/words.ts'
import { runWithStore, settingsOf } from '../run.ts'

export interface NotifyOptions {
  readonly places: readonly Place[]
  /** Sends a test to each place. */
  readonly test?: boolean
  readonly json?: boolean
}

interface PlaceReport {
  readonly place: string
  /** What it answered to the test. */
  readonly test?: Answer
  /** Left out where the server has not begun to tell it. */
  readonly state?: Omit<PlaceState, 'items'> | undefined
  readonly waiting: number
}

/** `notify`: the places where the operator is told what happens, and whether notices arrive. */
export async function notify(
  notices: Pick<Notices, 'place' | 'replay'>,
  { places, test, json }: NotifyOptions,
  out: Out,
): Promise<number> {
  try {
    const reports = await Promise.all(
      places.map((place) => reportOf(notices, place, test ?? false)),
    )
    if (json) await out.json({ places: reports })
    else await out.write(`${columns(reports.map((report) => inWords(report, out)))}\n`)
    const answers = reports.flatMap((report) => report.test ?? [])
    const failed = answers.filter(({ kind }) => kind !== 'taken').length
    if (failed === 0) return exitCodes.done
    return failed < answers.length ? exitCodes.partly : exitCodes.failed
  } finally {
    for (const place of places) place.close()
  }
}

async function reportOf(
  notices: Pick<Notices, 'place' | 'replay'>,
  place: Place,
  isTest: boolean,
): Promise<PlaceReport> {
  const test = isTest ? await place.send(testMessage(), new Date()) : undefined
  const before = await notices.place(place.name)
  // The place answers again, so what waits for it is due at once.
  const isBack = test?.kind === 'taken' && before?.failure !== undefined
  if (isBack) await notices.replay(place.name, new Date())
  const found = isBack ? await notices.place(place.name) : before
  const { items = [], ...state } = found ?? {}
  return {
    place: place.label,
    ...(test && { test }),
    state: found && (state as PlaceReport['state']),
    waiting: items.reduce((sum, { notices }) => sum + notices.length, 0),
  }
}

function testMessage() {
  const id = `evt_${randomUUID()}`
  const notice = { id, type: 'test' as const, at: new Date(), data: {} }
  return { id, notices: [notice] }
}

function inWords({ place, test, state, waiting }: PlaceReport, { style }: Out): string[] {
  return [style.bold(place), ...(test ? [answerInWords(test)] : []), stateInWords(state, waiting)]
}

function answerInWords(answer: Answer): string {
  if (answer.kind === 'taken') return 'accepted the test'
  if (answer.kind === 'stopped') return 'did not accept the test'
  const said = answer.isGone ? 'takes no messages any more' : 'did not accept the test'
  return `${said}: ${answer.failure}`
}

function stateInWords(state: PlaceReport['state'], waiting: number): string {
  if (!state) return 'the server has told it nothing yet'
  const { heldAt, dueAt, failure, lastAt, givenUp = 0 } = state
  const lost = givenUp > 0 ? `, ${counted(givenUp, 'message')} given up` : ''
  if (heldAt) return `gone since ${localTime(new Date(heldAt))}: ${failure}${lost}`
  const waits = waiting > 0 ? `${counted(waiting, 'notice')} to be sent` : 'nothing waits'
  const next =
    failure && dueAt
      ? `, next try ${localTime(new Date(dueAt))} after ${failure}`
      : lastAt
        ? `, last told ${localTime(new Date(lastAt))}`
        : ''
  return `${waits}${next}${lost}`
}

export async function fromCommandLine(options: Omit<NotifyOptions, 'places'>): Promise<void> {
  const settings = settingsOf(notifySettings)
  await runWithStore({ mayBeScratch: true }, (store, out, { linkKey }) => {
    const places = placesOf(settings, product, linkKey)
    return notify(store.notices, { ...options, places }, out)
  })
}
