import { expect } from 'vitest'
import { ended } from '../../../fixtures/run.ts'
import type { Life } from '../life.ts'
import { kill } from './lives.ts'

/** How many of a stage are told before its command is killed, at most. */
const BEFORE_THE_KILL = 40

/** The waves before everybody. */
const firstWaves = (days: number) => (days > 2 ? ['1%', '10%', '50%'] : ['30%'])

/** Part of an announcement: the next wave, or whoever came since the last. */
interface Stage {
  readonly includesNew: boolean
}

/** The arguments of the command for a stage, with which it also goes on after a kill. */
function argumentsOf({ announce, days }: Life, { includesNew }: Stage): string[] {
  if (includesNew) return [...announce, '--include-new']
  const waves = [...firstWaves(days), '100%'].join(',')
  // The plan of the week says when; and people leave here as they come.
  const when = ['--every', '1s', '--no-wait']
  return [...announce, '--waves', waves, ...when, '--stop-share', '100%', '--stop-leaving', '100%']
}

/** The next stage: its command is killed in the midst, and at times the server as well, and goes on. */
export async function announcement(life: Life) {
  const had = life.counts.get('announcement') ?? 0
  const stage = { includesNew: had > firstWaves(life.days).length }
  const stop = life.mail.pauseAfter(Math.floor(life.random() * BEFORE_THE_KILL))
  life.mail.tells()
  const program = life.start(argumentsOf(life, stage))
  await Promise.race([stop.paused, program.ended])
  if (!life.isCalm() && life.random() < 0.5) {
    await kill(life)
    life.count('kill')
  }
  // All of them were told already, or it is killed.
  if (program.isRunning()) {
    await program.end('SIGKILL')
    life.count('killed announcement')
  }
  stop.go()
  await announceStage(life, stage)
}

/** Runs a stage to its end. */
export async function announceStage(life: Life, stage: Stage) {
  life.mail.tells()
  const { code, stdout, stderr } = await ended(life.start(argumentsOf(life, stage)))
  expect([0, 3], stderr).toContain(code)
  // A wave that was killed at its end is over, and the next one may not be due yet.
  expect(stdout + stderr).toMatch(/The balance holds: |Not before |Everybody is told/)
}
