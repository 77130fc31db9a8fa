import { expect, test } from 'vitest'
import { showProgress } from '../../scripts/checks/progress.ts'

/** What stands there in the end, piece by piece. */
function show(isTTY: boolean) {
  const written: string[] = []
  let time = 0
  const progress = showProgress({ isTTY, write: (text) => written.push(text) }, () => time)
  progress.begin(4, 'files')
  for (const _ of [1, 2, 3]) {
    time += 1000
    progress.passed()
  }
  progress.failed('mail › is sent', 'expected 1\nto be 2')
  progress.done()
  time += 60_000
  progress.passed()
  progress.end()
  return written
}

test('a terminal has a bar of what passed, failed and is left, and of the time', () => {
  expect(show(true).slice(-2)).toEqual([
    '\r\u001b[2K█████░░░░░░░░░░░░░░░ 4 passed, 1 failed, 3 files left, 1:03',
    '\r\u001b[2K',
  ])
})

test('anywhere else only what failed is written, whole, as soon as it is known', () => {
  const failure = 'FAILED mail › is sent\n    expected 1\n    to be 2\n\n'
  expect(show(false)).toEqual([failure])
  expect(show(true)).toContain(failure)
})
