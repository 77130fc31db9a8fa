import { expect, it, onTestFinished, vi } from 'vitest'
import { sendingProgress } from '../../../src/cli/announce/voice.ts'
import { noTally, progressOf } from '../../../src/desk/server/letters/progress.ts'
import { listening } from '../../fixtures/spoken.ts'

const begun = { id: 'launch', subject: 'We are live', cutOff: new Date(0) }

it('at a terminal, what is left is estimated by the speed of this run, and not before its first letter', () => {
  vi.useFakeTimers({ now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const shown: string[] = []
  const out = { ...listening().out, progress: (text: string) => void shown.push(text) }
  const events = sendingProgress(out)
  events.begun?.(begun as never, 1000)
  events.result?.('queued' as never)
  expect(shown.at(-1)).not.toContain('left')
  vi.advanceTimersByTime(10_000)
  for (let i = 0; i < 500; i += 1) events.result?.('sent' as never)
  expect(shown.at(-1)).toMatch(/^500 of 1,000, 50\.0\/s so far, 10 s left at that speed, ends /)
})

it('at the desk, it is estimated by the speed of this run alone', () => {
  const at = Date.parse('2026-11-26T08:00:00Z')
  const head = { at: new Date(at).toISOString(), host: 'here', people: 1000, before: 50, args: [] }
  const run = { number: 2, head, pid: 7, isStopAsked: false, report: undefined, lines: [] }
  const shown = (sent: number) =>
    progressOf(
      {
        announcement: { ...begun, eligible: 2000 },
        tally: { ...noTally, sent, queued: 1000, untried: 1000 },
        suppressed: {},
        engine: { host: 'here', pid: 7 },
        run,
      } as never,
      at + 10_000,
    )
  // Fifty had ended before it began.
  expect(shown(150)).toMatchObject({
    run: { people: 1000, done: 100 },
    perSecond: 10,
    secondsLeft: 90,
  })
  expect(shown(50)).toMatchObject({ run: { done: 0 } })
  expect(shown(50)).not.toHaveProperty('secondsLeft')
})
