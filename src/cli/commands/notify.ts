import { randomUUID } from 'node:crypto'
import { notifySettings } from '../../config/programs.ts'
import type { Place } from '../../notices/place.ts'
import { placesOf } from '../../notices/places.ts'
import product from '../../product/product.ts'
import type { Answer } from '../../queue/waiting-line.ts'
import { type Telling, tell } from '../../report/tell.ts'
import { type Row, type Table, timeValue } from '../../shared/report.ts'
import type { Notices } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { runWithStore, settingsOf } from '../run.ts'

export interface NotifyOptions extends Telling {
  readonly places: readonly Place[]
  /** Sends a test to each place. */
  readonly test?: boolean
}

/** `notify`: the places where the operator is told what happens, and whether notices arrive. */
export async function notify(
  notices: Pick<Notices, 'place' | 'replay'>,
  { places, test, ...telling }: NotifyOptions,
  out: Out,
): Promise<number> {
  try {
    const found = await Promise.all(places.map((place) => lookAt(notices, place, test ?? false)))
    const parts = [placesTable(found.map(({ row }) => row))]
    await tell({ title: 'Notices', parts }, telling, out)
    const answers = found.flatMap(({ answer }) => answer ?? [])
    const failed = answers.filter(({ kind }) => kind !== 'taken').length
    if (failed === 0) return exitCodes.done
    return failed < answers.length ? exitCodes.partly : exitCodes.failed
  } finally {
    for (const place of places) place.close()
  }
}

/** How a place stands, and what it answered to a test. */
async function lookAt(
  notices: Pick<Notices, 'place' | 'replay'>,
  place: Place,
  isTest: boolean,
): Promise<{ readonly row: Row; readonly answer: Answer | undefined }> {
  const answer = isTest ? await place.send(testMessage(), new Date()) : undefined
  const before = await notices.place(place.name)
  // The place answers again, so what waits for it is due at once.
  const isBack = answer?.kind === 'taken' && before?.failure !== undefined
  if (isBack) await notices.replay(place.name, new Date())
  const found = isBack ? await notices.place(place.name) : before
  const { items = [], lastAt, failure, dueAt, heldAt, givenUp } = found ?? {}
  const row = {
    place: place.label,
    ...(answer && { test: testInWords(answer) }),
    waiting: items.reduce((sum, { notices }) => sum + notices.length, 0),
    ...{ lastAt: timeValue(lastAt), failure, nextAt: failure ? timeValue(dueAt) : null },
    ...{ goneAt: timeValue(heldAt), givenUp },
  }
  return { row, answer }
}

const placesTable = (rows: readonly Row[]): Table => ({
  ...{ part: 'table', name: 'places', title: 'Place', rows, most: rows.length },
  columns: [
    { name: 'place', kind: 'text' },
    { name: 'test', head: 'The test', kind: 'text' },
    { name: 'waiting', head: 'Notices that wait' },
    { name: 'lastAt', head: 'Last told', kind: 'time', without: 'never' },
    { name: 'failure', head: 'Failed', kind: 'text' },
    { name: 'nextAt', head: 'Next try', kind: 'time' },
    { name: 'goneAt', head: 'Gone since', kind: 'time' },
    { name: 'givenUp', head: 'Messages given up' },
  ],
})

function testMessage() {
  const id = `evt_${randomUUID()}`
  const notice = { id, type: 'test' as const, at: new Date(), data: {} }
  return { id, notices: [notice] }
}

/** What a test came to. */
export function testInWords(answer: Answer): string {
  if (answer.kind === 'taken') return 'accepted'
  return answer.kind === 'failed' ? `not accepted: ${answer.failure}` : 'not accepted'
}

export async function fromCommandLine(options: Omit<NotifyOptions, 'places'>): Promise<void> {
  const settings = settingsOf(notifySettings)
  await runWithStore({ mayBeScratch: true }, (store, out, { linkKey }) => {
    const places = placesOf(settings, product, linkKey)
    return notify(store.notices, { ...options, places }, out)
  })
}
