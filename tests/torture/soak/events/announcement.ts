import { expect } from 'vitest'
import { ended } from '../../../fixtures/run.ts'
import type { Life } from '../life.ts'
import { kill } from './lives.ts'

/** How many of a stage are told before its command is killed, at most. */
const BEFORE_THE_KILL = 40

/** The shares before everybody. */
const firstShares = (days: number) => (days > 2 ? ['1%', '10%', '50%'] : ['30%'])

/** Part of an announcement: the next share, everybody, or whoever came since. */
interface Stage {
  readonly first?: string | undefined
  readonly includesNew: boolean
}

/** The arguments of the command for a stage, with which it also goes on after a kill. */
function argumentsOf({ announce }: Life, { first, includesNew }: Stage): string[] {
  // People leave here as they come.
  const all = [...announce, '--stop-share', '100%', '--go-on']
  if (includesNew) return [...all, '--include-new']
  return first ? [...all, '--first', first] : all
}

/** The next stage: its command is killed in the midst, and at times the server as well, and goes on. */
export async function announcement(life: Life) {
  const had = life.counts.get('announcement') ?? 0
  const shares = firstShares(life.days)
  const stage = { first: shares[had], includesNew: had > shares.length }
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
  // A stage that was killed at its end is over.
  expect(stdout + stderr).toMatch(/The balance holds: |This stage is done|Nobody is left/)
}
