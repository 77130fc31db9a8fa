import { expect, it, onTestFinished, vi } from 'vitest'
import { sendingProgress } from '../../../src/cli/announce/voice.ts'
import { listening } from '../../fixtures/spoken.ts'

const begun = { id: 'launch', subject: 'We are live', upTo: 1 }

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
