import { describe, expect, it } from 'vitest'
import { addressesMeant } from '../../../src/cli/commands/addresses-meant.ts'
import { events } from '../../../src/cli/commands/events.ts'
import { notify } from '../../../src/cli/commands/notify.ts'
import { qrCode } from '../../../src/cli/commands/qr-code.ts'
import { timeRange } from '../../../src/cli/commands/time-range.ts'
import { begunAgain } from '../../../src/queue/waiting-line.ts'
import type { PlaceState } from '../../../src/store/notices.ts'
import { plain } from '../../../src/terminal/style.ts'
import { localTime } from '../../../src/terminal/words.ts'
import { undocumentedIn } from '../../fixtures/report-fields.ts'
import { listening } from '../../fixtures/spoken.ts'

describe('events in words', () => {
  const at = Date.UTC(2026, 10, 26, 9)
  const time = localTime(new Date(at))
  const on = { isOn: true, types: ['subscribed', 'left'], place: 'x' }
  async function said(
    feed: object | undefined,
    counts: object = {},
    more: { waiting?: readonly object[]; options?: object } = {},
  ) {
    const { out, result } = listening()
    const store = {
      feed: async () => feed,
      counts: async () => ({ people: 0, held: 0, forgotten: 0, ...counts }),
      waiting: async () => more.waiting ?? [],
      replay: async () => 1200,
      settle: async () => {},
    }
    const code = await events(store as never, more.options ?? {}, out)
    const lines = result().trimEnd().split('\n').filter(Boolean)
    return [code, ...lines.map((line) => line.replaceAll(/ {2,}/g, ' | '))]
  }

  it('say whether they are on, what waits and for how long', async () => {
    expect(await said(undefined)).toEqual([0, 'Events', 'Events are off: set EVENTS.'])
    expect(await said(on)).toEqual([
      ...[0, 'Events', 'Events: nothing waits'],
      'Told of | subscribed, left',
    ])
    expect(await said({ ...on, isOn: false, lastAt: at }, { people: 1 })).toEqual([
      ...[0, 'Events', 'LOOK: Events: events of 1 person wait, events are off'],
      `Last told | ${time}`,
    ])
    const failing = { since: at, people: ['p1'] }
    const away = { ...on, failing, failure: '503', notBefore: at, dropped: 2 }
    const [, , note, ...figures] = await said(away, {
      ...{ people: 2000, held: 3, forgotten: 1, oldest: at },
    })
    expect(note).toContain(
      `PROBLEM: Events: events of 2,000 people wait, those of 3 people are held, 1 erasure not acknowledged, 2 events cannot be read: dropped, asked again ${time}, the last ones were not taken (503) ${time}, `,
    )
    expect(note).toMatch(/\. To send those that are held: \S+ events --replay$/)
    expect(figures).toEqual(['Told of | subscribed, left', `Oldest that waits | ${time}`])
  })
})

it('a QR code has its finders in three corners, and is left out where it is too wide', () => {
  const marked = { ...plain, print: (text: string) => `|${text}|` }
  const code = qrCode('https://example.com/desk', { style: marked, width: 80 })
  const rows = code.trimEnd().split('\n')
  const [first = ''] = rows
  expect(rows.every((row) => row.length === first.length && /^\|.*\|$/.test(row))).toBe(true)
  // Two rows of the quiet zone make one empty line; below it a finder begins and ends the row.
  expect(first).toMatch(/^\| +\|$/)
  expect(rows[1]).toMatch(/^\| {2}█▀▀▀▀▀█.*█▀▀▀▀▀█ {2}\|$/)
  expect(rows[2]).toMatch(/^\| {2}█ ███ █.*█ ███ █ {2}\|$/)
  expect(rows[4]).toMatch(/^\| {2}▀▀▀▀▀▀▀/)
  expect(code).toMatch(/[▀▄]/)
  expect(code.endsWith('|\n\n')).toBe(true)
  const size = first.length - 2
  expect(qrCode('https://example.com/desk', { style: plain, width: size })).not.toBe('')
  expect(qrCode('https://example.com/desk', { style: plain, width: size - 1 })).toBe('')
})

it('addresses are meant by patterns and by their mailbox, and all without', () => {
  const are = (options: Parameters<typeof addressesMeant>[0]) =>
    ['a.da@gmail.com', 'ada+x@gmail.com', 'bob@example.com', 'bobxexample.com'].filter(
      addressesMeant(options),
    )
  expect(are({})).toHaveLength(4)
  expect(are({ matching: ['*@EXAMPLE.com'] })).toEqual(['bob@example.com'])
  expect(are({ matching: ['bob.example.com', 'b*b@*'] })).toEqual(['bob@example.com'])
  expect(are({ mailbox: 'Ada@gmail.com' })).toEqual(['a.da@gmail.com', 'ada+x@gmail.com'])
  expect(are({ matching: ['a.*'], mailbox: 'ada@gmail.com' })).toEqual(['a.da@gmail.com'])
  for (const pattern of ['', '*a*b*c*d*', 'x'.repeat(255)])
    expect(() => addressesMeant({ matching: [pattern] })).toThrow(
      `--matching: "${pattern}" must be like *@example.com, with four stars at most`,
    )
  expect(() => addressesMeant({ matching: ['*a*b*c*', 'x'.repeat(254)] })).not.toThrow()
  expect(() => addressesMeant({ mailbox: 'ada' })).toThrow(
    '--mailbox: "ada" is not an e-mail address.',
  )
})

it('a time is a day, a moment or how long ago', () => {
  const now = new Date('2026-11-26T12:00:00Z')
  expect(timeRange({}, now)).toEqual({})
  expect(timeRange({ since: '24h', until: '1d' }, now)).toEqual({
    since: new Date('2026-11-25T12:00:00Z'),
    until: new Date('2026-11-25T12:00:00Z'),
  })
  expect(timeRange({ since: '2026-11-20', until: '2026-11-20T14:00' }, now)).toEqual({
    since: new Date(2026, 10, 20),
    until: new Date(2026, 10, 20, 14),
  })
  for (const text of ['2026-11-20T14:00:05.5Z', '2026-11-20T14:00+01:00', '2026-11-20T14:00:05'])
    expect(timeRange({ since: text }, now)).toEqual({ since: new Date(text) })
  for (const text of [
    '',
    'yesterday',
    '2026-13-40',
    '2026-11-20 14:00',
    '123456h',
    '7w',
    ' 7d',
    '2026-11-20T25:00',
  ])
    expect(() => timeRange({ until: text }, now), text).toThrow(
      `--until: is "${text}", must be a day (2026-11-20), a time (2026-11-20T14:00) or how long ago (24h, 7d)`,
    )
})

describe('places in words', () => {
  const at = Date.UTC(2026, 10, 26, 9)
  const time = localTime(new Date(at))
  const closed: string[] = []
  const place = (label: string, answer: object = { kind: 'arrived' }) => ({
    name: label,
    label,
    send: async () => answer,
    close: () => closed.push(label),
  })
  async function said(
    state: object | undefined,
    waiting = 0,
    given = [place('here')],
    options: object = {},
  ) {
    const { out, result } = listening()
    let kept: object | undefined
    const items = waiting > 0 ? [{ id: 'm', notices: Array(waiting).fill({}) }] : []
    const line = state && ({ since: 0, tries: 0, ...state, items } as unknown as PlaceState)
    const notices = {
      place: async () => line,
      async replay(_name: string, now: Date) {
        kept = line && begunAgain(line, now.getTime())
      },
    }
    const code = await notify(notices as never, { places: given as never, ...options }, out)
    return {
      code,
      kept,
      lines: result()
        .trimEnd()
        .split('\n')
        .map((line) => line.replaceAll(/ {2,}/g, ' | ')),
    }
  }
  const lines = async (state: object | undefined, waiting = 0) =>
    (await said(state, waiting)).lines.slice(-2)

  it('say what is told there, and what comes of it', async () => {
    const told = 'Place | Notices that wait | Last told'
    expect(await lines(undefined)).toEqual(['Place | Notices that wait', 'here | 0'])
    expect(await lines({ lastAt: at }, 1)).toEqual([told, `here | 1 | ${time}`])
    expect(await lines({ lastAt: at, lease: 'x', dueAt: at, failure: '503' }, 2)).toEqual([
      `${told} | Failed | Next try`,
      `here | 2 | ${time} | 503 | ${time}`,
    ])
    expect(await lines({ lastAt: at, heldAt: at, failure: '410', givenUp: 1 })).toEqual([
      `${told} | Failed | Gone since | Messages given up`,
      `here | 0 | ${time} | 410 | ${time} | 1`,
    ])
    expect(closed.length).toBeGreaterThan(0)
  })

  it('end with 0, 1 or 3 by what came of a test, and make due what waits where one arrived', async () => {
    const test = async (answers: readonly object[], state: object | undefined = {}) => {
      const { lines, ...one } = await said(
        state,
        0,
        answers.map((answer, i) => place(`p${i}`, answer)),
        { test: true },
      )
      return { ...one, lines: lines.slice(-answers.length) }
    }
    const [yes, no] = [{ kind: 'taken' }, { kind: 'failed', failure: '500' }]
    expect((await test([yes, yes])).code).toBe(0)
    expect(await test([yes, no])).toMatchObject({
      ...{ code: 3, lines: ['p0 | accepted | 0', 'p1 | not accepted: 500 | 0'] },
    })
    expect((await test([no, no])).code).toBe(1)
    expect((await test([{ kind: 'stopped' }])).lines).toEqual(['p0 | not accepted | 0'])
    const failed = {
      failure: '503',
      heldAt: at,
      lease: 'x',
      lastAt: at,
      tries: 3,
    }
    const { kept } = await test([yes], failed)
    const due = expect.any(Number)
    expect(kept).toEqual({ since: 0, lease: 'x', items: [], lastAt: at, tries: 0, dueAt: due })
    expect((kept as { dueAt: number }).dueAt).toBeLessThanOrEqual(Date.now())
    expect((await test([no], failed)).kept).toBeUndefined()
    expect((await test([yes], { lastAt: at })).kept).toBeUndefined()
    const json = await said({ lastAt: at }, 2, [place('here')], { json: true })
    const none = { nextAt: null, goneAt: null }
    const told = JSON.parse(json.lines[0] ?? '')
    expect(undocumentedIn('notify', told)).toEqual([])
    expect(told).toEqual({
      notes: [],
      places: [{ place: 'here', waiting: 2, lastAt: new Date(at).toISOString(), ...none }],
    })
  })
})
