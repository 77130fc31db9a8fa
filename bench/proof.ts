import { spawnSync } from 'node:child_process'
import { processorMs } from '../scripts/checks/times.ts'
import { figure } from './figures.ts'
import type { Findings, Row } from './report.ts'

const MINUTE_MS = 60_000

interface Time {
  readonly wall: number
  readonly processor: number
}

/**
 * What the yardstick takes on two quiet cores of the machine that the budgets were set on, in
 * milliseconds: there, a minute below is a minute.
 */
const YARDSTICK: Time = { wall: 4500, processor: 6500 }

/** It takes seconds, and the machine is not as fast in one as in the next. */
const YARDSTICKS = 3

/** Everything of `npm test`, in minutes of a machine on which types and a build take as long as there. */
export function measureProof(): Findings {
  const before = yardsticks()
  const proof = timeOf(process.execPath, ['scripts/checks.ts'], [0, 1])
  const after = yardsticks()
  const minutes = (which: keyof Time) =>
    figure(
      [...before, ...after].map(
        (yardstick) => (proof[which] / yardstick[which]) * (YARDSTICK[which] / MINUTE_MS),
      ),
    )
  const rows: Row[] = [
    {
      what: 'npm test, by the clock',
      figure: minutes('wall'),
      unit: 'min',
      budget: { must: 8, aim: 6, better: 'less' },
    },
    {
      what: 'the same, of processor',
      figure: minutes('processor'),
      unit: 'min',
      budget: { must: 14, aim: 10, better: 'less' },
    },
  ]
  const seconds = (times: readonly Time[]) =>
    times.map(({ wall }) => (wall / 1000).toFixed(1)).join(', ')
  const note = `npm test took ${seconds([proof])} s here, ${(proof.processor / 1000).toFixed(1)} s of processor; types and a build took ${seconds(before)} s before it and ${seconds(after)} s after it`
  return { rows, notes: [note] }
}

/** How fast this machine is just now: it checks the types and builds the page, a few times. */
function yardsticks(): Time[] {
  return Array.from({ length: YARDSTICKS }, () => {
    const types = timeOf('tsc', ['-p', 'tsconfig.tools.json'])
    const build = timeOf(process.execPath, ['scripts/build.ts'])
    return { wall: types.wall + build.wall, processor: types.processor + build.processor }
  })
}

/** @param mayEndWith the exit codes that are no failure of the measurement. */
function timeOf(command: string, args: readonly string[], mayEndWith = [0]): Time {
  const begun = { wall: performance.now(), processor: processorMs() ?? Number.NaN }
  const { status } = spawnSync(command, args, { stdio: ['ignore', 2, 2] })
  if (!mayEndWith.includes(status ?? -1)) throw new Error(`${command} ended with ${status}`)
  return {
    wall: performance.now() - begun.wall,
    processor: (processorMs() ?? Number.NaN) - begun.processor,
  }
}
