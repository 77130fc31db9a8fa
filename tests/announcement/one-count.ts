import { expect } from 'vitest'
import { countRun } from '../../src/announcement/outlook.ts'
import type { RecipientSelection } from '../../src/announcement/run-options.ts'
import { reportEnd } from '../../src/cli/announce/report.ts'
import { listRecipients, sayDry } from '../../src/cli/commands/announce.ts'
import { whoIsNext } from '../../src/desk/server/letters/check-letter.ts'
import { selectionOf } from '../../src/desk/server/letters/sending-settings.ts'
import { progressOf, standingOf } from '../../src/desk/server/letters/standing.ts'
import type { Mailer, Message } from '../../src/mail/mailer.ts'
import { inWords } from '../../src/notices/words.ts'
import { asJson } from '../../src/report/json.ts'
import { grouped } from '../../src/shared/counted.ts'
import { deliveryStatuses } from '../../src/store/delivery-ledger.ts'
import type { Store } from '../../src/store/store.ts'
import { announced } from '../fixtures/announced.ts'
import { ids } from '../fixtures/keys.ts'
import { nextMillisecond } from '../fixtures/next-millisecond.ts'
import { listening } from '../fixtures/spoken.ts'
import { quick, quiet } from '../fixtures/stage.ts'
import { PLACE, toldAt } from '../fixtures/told.ts'

const names = Array.from({ length: 9 }, (_, n) => `ada+${n}@gmail.com`)
  .concat(Array.from({ length: 14 }, (_, n) => `person${n}@example.com`))
  .concat('root@[127.0.0.1]')

const seen = { command: 'announce launch.md' }

/** Something that happens to a list before or between the runs of an announcement. */
async function happens(store: Store, random: () => number): Promise<void> {
  const email = names[Math.floor(random() * names.length)] as string
  const acts = [
    () => store.list.add(email),
    () => store.list.add(email),
    () => store.list.add(email),
    () => store.list.add(email, { suspicion: 'hidden-field' }),
    () => store.quarantine.release([email]),
    () => store.standings.unsubscribe(ids.of(email)),
    () => store.standings.set([{ email, standing: random() < 0.5 ? 'bounced' : 'complained' }]),
    () => store.standings.forget(email),
    () => run(store, random, { id: 'earlier', first: () => Math.ceil(random() * 9) }),
    () => run(store, random, { id: 'launch', first: () => Math.ceil(random() * 9) }),
  ]
  await acts[Math.floor(random() * acts.length)]?.()
}

const noLetter: Message = {
  from: 'a@example.org',
  replyTo: undefined,
  to: '',
  subject: '',
  html: '',
  text: '',
  messageId: '<x>',
  headers: {},
  pictures: [],
}

/** One run, by a mail server that refuses some. */
async function run(
  store: Store,
  random: () => number,
  selection: RecipientSelection,
  toSend?: number,
  refused = 0.2,
) {
  let begun = 0
  const mailer: Mailer = {
    connections: 2,
    check: async () => ({ roundTripMs: 1 }),
    send: async () =>
      random() < refused
        ? { kind: 'refused', answer: '550 no' }
        : { kind: 'accepted', answer: '250 ok' },
    close: () => {},
  }
  const end = await announced({
    ...selection,
    store,
    toSend,
    mailer,
    message: ({ email }) => ({ ...noLetter, to: email }),
    letter: { subject: 'We are live', digest: 'one' },
    rate: { letters: 1e6, ms: 1000 },
    stopShare: toSend === undefined ? 1 : 0.3,
    signal: new AbortController().signal,
    retryPolicy: quick,
    on: { ...quiet, begun: (_, people) => (begun = people) },
  })
  return { end, begun }
}

/** After a random history, a run is said to be the same by every face, before it and after. */
export async function oneCount(store: Store, random: () => number, events: number) {
  await store.notices.open([PLACE], new Date())
  for (const email of names.slice(-12)) await store.list.add(email)
  // A run that began in their millisecond would be one of nobody, or of one person.
  await nextMillisecond()
  for (let n = 0; n < events; n += 1) await happens(store, random)
  await nextMillisecond()
  const stage = (['everyone', 'newcomers', 'failed', 'one-per-cent'] as const)[
    Math.floor(random() * 4)
  ]
  const before = await standingOf(store, 'launch')
  const isBegun = before.announcement?.eligible !== undefined
  const which = isBegun ? (stage ?? 'everyone') : stage === 'one-per-cent' ? stage : 'everyone'
  const selection = selectionOf('launch', which, [])
  const count = await countRun(store, selection)
  const left = Object.values(count.leftOut).reduce((sum, people) => sum + people, 0)

  const dry = listening()
  await listRecipients(store, selection, count, {}, dry.out)
  expect(dry.result().split('\n').length - 1).toBe(count.toSend)
  sayDry({ found: [], may: 'go', seen, count }, {}, dry.out)
  const aside = dry.said.join('\n')
  const said = (why: string) => Number(new RegExp(`^${why} +(\\d+)`, 'm').exec(aside)?.[1] ?? 0)
  expect(said('To send')).toBe(count.toSend)
  expect(said('Left out')).toBe(left)
  const done = [said('Sent before'), said('Failed before'), said('Uncertain'), said('Forgotten')]
  const others = done.reduce((sum, people) => sum + people, said('Not in this run'))
  expect(count.toSend + left + others).toBe(count.eligible)
  const { sent, uncertain, failed, forgotten } = before.tally
  if (isBegun && which === 'everyone') expect(done).toEqual([sent, failed, uncertain, forgotten])
  const desk = await whoIsNext(store, 'launch', before, [])
  if (which in desk.people) expect(desk.people[which]).toBe(count.toSend)
  if (which === 'newcomers' || !isBegun) expect(desk.count.leftOut).toEqual(count.leftOut)

  // Some stop by themselves, and that is told of.
  const refused = random() < 0.3 ? 0.95 : 0.2
  const { end, begun } = await run(store, random, selection, count.toSend, refused)
  expect(begun).toBe(count.toSend)
  const { tally, eligible, holds } = end.balance
  expect([eligible, holds]).toEqual([count.eligible, true])
  const ended = (of: typeof tally) => of.sent + of.failed + of.uncertain
  const again = which === 'failed' ? before.tally.failed : 0
  if (end.why === 'done') expect(ended(tally) - ended(before.tally) + again).toBe(count.toSend)

  const { suppressed } = end.announcement
  const isWhole = end.why === 'done' && tally.queued === 0
  if (isWhole) expect(suppressed).toEqual(count.leftOut)
  const [json, text] = [listening(), listening()]
  await reportEnd(store, end, { seen, stopShare: 1, json: true, list: false }, json.out)
  expect(JSON.parse(json.result())).toMatchObject({
    eligible,
    ...{ sent: tally.sent, failed: tally.failed, queued: tally.queued },
    leftOut: Object.entries(suppressed).flatMap(([why, people]) =>
      people > 0 ? [{ why, people }] : [],
    ),
  })
  await reportEnd(store, end, { seen, stopShare: 1, list: false }, text.out)
  expect(text.result()).toContain(`The balance holds: ${grouped(eligible)} = `)

  const rows = Object.fromEntries(deliveryStatuses.map((status) => [status, 0]))
  for await (const { status } of store.ledger.deliveries('launch'))
    rows[status] = (rows[status] ?? 0) + 1
  expect(tally).toMatchObject(rows)
  const beside = { seen, unsent: [], newcomers: 0 }
  const shown = progressOf(await standingOf(store, 'launch'), beside)
  expect(shown).toMatchObject({ eligible, tally: rows })
  expect(asJson(shown.report)).toMatchObject({ sent: tally.sent, suppressed: tally.suppressed })

  const told = await toldAt(store)
  const notice = told?.findLast(
    ({ type, data }) => type === 'alarm.began' && data.announcement === 'launch',
  )
  if (end.why === 'failing' && notice)
    expect(inWords(notice, 'Meridian').lines).toContain(
      `${tally.sent} sent of ${eligible} people, ${tally.queued} queued.`,
    )
  return { people: count.toSend, hasStopped: end.why === 'failing' }
}
