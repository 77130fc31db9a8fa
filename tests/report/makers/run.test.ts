import { describe, expect, it } from 'vitest'
import { endedOf } from '../../../src/announcement/balance.ts'
import { asJson } from '../../../src/report/json.ts'
import {
  type Beside,
  type HowFar,
  reportOfRun,
  stagesLeft,
} from '../../../src/report/makers/run.ts'
import { inText } from '../../../src/report/terminal.ts'
import type { Finding } from '../../../src/shared/finding.ts'
import type { Note } from '../../../src/shared/report.ts'
import { noSuppressions, noTally } from '../../../src/store/delivery-ledger.ts'
import type { RunNotes } from '../../../src/store/run-notes.ts'
import { plain } from '../../../src/terminal/style.ts'
import { undocumented } from '../../fixtures/report-fields.ts'

const begunAt = Date.parse('2026-11-22T09:00:00.000Z')
const tally = (more: Partial<HowFar['tally']>) => ({ ...noTally(), ...more })
const runOf = (notes: RunNotes = {}) => ({ host: 'here', pid: 7, notes })
const ended = (why: string, notes: RunNotes = {}, answer = '') =>
  runOf({ ...notes, end: { why, answer } })
const announcement = {
  ...{ id: 'launch', subject: 'We are live', digest: 'one', eligible: 50, upTo: 3 },
  ...{ begunAt: new Date(begunAt), tally: noTally(), suppressed: noSuppressions() },
}
const still: HowFar = {
  ...{ announcement, tally: noTally(), suppressed: noSuppressions() },
  ...{ run: undefined, isRunning: false },
}
const usual: Beside = {
  ...{ seen: { command: 'announce launch.md' }, now: begunAt + 10_000 },
  ...{ unsent: [], newcomers: 0 },
}
const report = (far: Partial<HowFar>, beside: Partial<Beside> = {}) =>
  reportOfRun({ ...still, ...far }, { ...usual, ...beside })
const notes = (...of: Parameters<typeof report>): readonly Note[] =>
  report(...of).parts.flatMap((part) => (part.part === 'notes' ? part.notes : []))
const note = (code: string, ...of: Parameters<typeof report>) =>
  notes(...of).find((one) => one.code === code)
const figure = (name: string, ...of: Parameters<typeof report>) =>
  report(...of)
    .parts.flatMap((part) => (part.part === 'figures' ? part.figures : []))
    .find((one) => one.name === name)

const sending = { since: new Date(begunAt), people: 40, before: 10 }
const running = { run: runOf({ isFromDesk: true, sending }), isRunning: true }

describe('while a letter is sent', () => {
  it('those have ended who were tried to the end, whether well or not', () => {
    expect(endedOf(tally({ sent: 5, failed: 3, uncertain: 2, queued: 7, suppressed: 4 }))).toBe(10)
  })

  it('it is said how far and how fast it is, and how long it takes', () => {
    const far = { ...running, tally: tally({ sent: 28, failed: 2, queued: 20, untried: 20 }) }
    expect(figure('done', far)).toMatchObject({ value: 20, isLead: true, of: { all: 40 } })
    expect(figure('perSecond', far)).toMatchObject({
      value: 2,
      remark: '10 s left at this speed',
    })
    for (const code of ['balance', 'interrupted', 'pace', 'elsewhere'])
      expect(note(code, far), code).toBeUndefined()
    // A moment after its begin, nobody knows how fast it is.
    for (const [now, sent] of [
      [begunAt, 12],
      [begunAt + 1000, 10],
      [begunAt + 1000, 3],
    ] as const) {
      const early = [{ ...running, tally: tally({ sent }) }, { now }] as const
      expect(figure('done', ...early)?.value).toBe(Math.max(0, sent - 10))
      expect(figure('perSecond', ...early)?.value).toBeNull()
    }
    expect(figure('done', { ...running, tally: tally({ sent: 60 }) })?.of?.all).toBe(50)
    // Nobody knows when the mail server takes those who are tried again.
    const waits = { ...running, tally: tally({ sent: 48, queued: 2 }) }
    expect(figure('done', waits)?.remark).toBe('2 to be tried again')
    expect(figure('perSecond', waits)).not.toHaveProperty('remark')
    // Before its letters it says nothing of that.
    expect(figure('done', { run: runOf({ next: 'check' }), isRunning: true })).toBeUndefined()
  })

  it('it is said who sends it where that is not the desk, and when a rate of an hour is done', () => {
    const others = { run: { ...runOf({ sending }), host: 'elsewhere 7' }, isRunning: true }
    expect(note('elsewhere', others)?.text).toBe(
      'A command on elsewhere, process 7, is sending it, not the desk.',
    )
    const friday = new Date(2026, 10, 27, 11).getTime()
    const paced = {
      run: runOf({ rate: '2000/h' }),
      isRunning: true,
      tally: tally({ queued: 6000 }),
    }
    expect(note('pace', paced, { now: friday })?.text).toBe('2,000 an hour, done about 14:00.')
  })
})

describe('the end of a run', () => {
  const endOf = (run: HowFar['run'], far: Partial<HowFar> = {}) => {
    const [first] = notes({ tally: tally({ queued: 5 }), run, ...far })
    return [first?.text, first?.weight]
  }

  it('is said by its code, with the share that was set', () => {
    expect(endOf(ended('done'))).toEqual(['This stage is done.', undefined])
    expect(endOf(ended('done'), { tally: tally({ sent: 50 }) })).toEqual(['Done.', undefined])
    expect(endOf(ended('done'), { tally: tally({ sent: 49, failed: 1 }) })).toEqual([
      'Done.',
      'look',
    ])
    expect(endOf(ended('interrupted'))).toEqual([
      'Stopped, with everything under way finished.',
      'look',
    ])
    expect(endOf(ended('failing', {}, '550 no'))).toEqual([
      'Stopped: more than 5 % of this run failed, last with "550 no".',
      'bad',
    ])
    expect(endOf(ended('failing', { stopShare: 0.025 }, '550 no'))[0]).toMatch(
      /more than 2\.5 % of this run failed/,
    )
    const goesOn = note('leaving', { run: ended('leaving') })
    expect(goesOn?.act?.command).toBe('<command> --go-on')
    expect(goesOn?.data).toMatchObject({ command: 'announce launch.md' })
  })

  it('is what kept it from sending', () => {
    const found: Finding[] = [
      { code: 'mail-server', answer: 'away', verdict: 'fatal' },
      { code: 'letter-link', about: 'x', verdict: 'problem' },
    ]
    const held = notes({ announcement: undefined, run: ended('fatal', { found }) })
    expect(held.map(({ code, weight }) => [code, weight])).toEqual([
      ['held', 'bad'],
      ['mail-server', 'bad'],
      ['letter-link', 'bad'],
    ])
    expect(held[0]?.act).toBeUndefined()
    expect(note('held', { run: ended('problem', { found }) })?.act?.command).toBe(
      '<command> --force letter-link',
    )
    expect(endOf(ended('fault', {}, 'It broke.'))).toEqual(['It broke.', 'bad'])
    expect(endOf(ended('not-begun'), { announcement: undefined })[0]).toMatch(/did not begin/)
    const refusal = { code: 'letter-asks', id: 'launch', option: '--ask' }
    expect(endOf(runOf({ end: { why: 'refused', answer: '', refusal } }))[0]).toMatch(
      /^"launch" was sent as a letter that asks/,
    )
  })

  it('was an interruption else, and says whether anybody is left', () => {
    expect(endOf(runOf())).toEqual([
      'The last run was interrupted. It can go on where it ended: nobody gets it twice.',
      'bad',
    ])
    const end = (uncertain: number) =>
      endOf(runOf(), { tally: tally({ sent: 50 - uncertain, uncertain }) })[0]
    expect(end(0)).toBe('The last run was interrupted. Nobody is left to be told.')
    expect(end(1)).toMatch(/ told; 1 person may have the letter or not\.$/)
    expect(endOf(runOf(), { announcement: undefined })[0]).toBe(
      'The last run was interrupted before it sent anything.',
    )
  })

  it('says something whatever anybody wrote into it', () => {
    for (const why of ['', 'x', 'constructor', '__proto__', 'toString'])
      expect(endOf(ended(why))[0], why).toBe('The last run did not say why it ended.')
    const found = [{ code: 'constructor' }, { code: 'no' }, { code: 'earlier' }] as never
    expect(inText(report({ run: runOf({ found }) }), { style: plain })).toContain('interrupted')
    for (const code of ['toString', 'letter-mistakes', 'imbalance', 'another-runs']) {
      const refused = { why: 'refused', answer: '', refusal: { code } }
      expect(endOf(runOf({ end: refused }))[0], code).toEqual(expect.any(String))
    }
  })
})

describe('the balance', () => {
  const suppressed = { ...noSuppressions(), bounced: 2, quarantined: 1 }
  const told = { tally: tally({ sent: 46, failed: 1, suppressed: 3 }), suppressed }

  it('says whether everybody is accounted for, once it is over', () => {
    expect(note('balance', told)).toMatchObject({
      text: 'The balance holds: 50 = 46 sent + 1 failed + 3 left out',
      data: { holds: true },
    })
    expect(note('balance', { tally: tally({ sent: 47 }) })).toMatchObject({
      weight: 'bad',
      text: expect.stringMatching(/^THE BALANCE DOES NOT HOLD/),
    })
    for (const eligible of [{ announcement: { ...announcement, eligible: undefined } }, running])
      expect(note('balance', eligible)).toBeUndefined()
  })

  it('has who was left out, and who has no letter, for a person and for a program', () => {
    const unsent = [
      { email: 'a@example.com', status: 'failed', answer: '550 no' },
      { email: undefined, status: 'forgotten', answer: '550 no' },
      { email: 'b@example.com', status: 'suppressed', answer: '', standing: 'bounced' },
      { email: 'c@example.com', status: 'sending', answer: undefined },
    ] as const
    const beside = { unsent, newcomers: 2, dueAt: new Date(begunAt) }
    const whole = report({ ...told, run: ended('done', { found: [] }) }, beside)
    const text = inText(whole, { style: plain })
    expect(text).toMatch(/^Sent +46 {2}of 47 people, 97\.9 %$/m)
    expect(text).toMatch(/^Left out +3$/m)
    expect(text).toMatch(/^bounced +2$/m)
    expect(text).toMatch(/^quarantined for signs of a robot +1$/m)
    expect(text).toMatch(/^a@example\.com +failed +550 no$/m)
    expect(text).toMatch(/^b@example\.com +suppressed +bounced$/m)
    expect(text).toMatch(/^\(forgotten\) +forgotten/m)
    expect(text).toMatch(/^2 new subscribers since this began\. .* launch\.md --include-new$/m)
    expect(text).toMatch(/^4 people without the letter\. .* deliveries launch --not-sent$/m)
    expect(asJson(whole)).toMatchObject({
      ...{ sent: 46, failed: 1, suppressed: 3, queued: 0, eligible: 50 },
      leftOut: [
        { why: 'bounced', people: 2 },
        { why: 'quarantined', people: 1 },
      ],
    })
    expect(undocumented('announce', whole)).toEqual([])
  })

  it('is followed by the stages that somebody is left for', () => {
    const { acts } = stagesLeft(tally({ queued: 5, uncertain: 2, sent: 9 }), usual.seen)
    expect(acts.map(({ command }) => command)).toEqual([
      'announce launch.md',
      'announce launch.md --retry=uncertain',
    ])
  })
})
