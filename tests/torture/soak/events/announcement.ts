import { expect } from 'vitest'
import { ended } from '../../../fixtures/run.ts'
import type { Life } from '../life.ts'
import { kill } from './lives.ts'

/** How many of a stage are told before its command is killed, at most. */
const BEFORE_THE_KILL = 40

/** A stage of an announcement: to so many of all. */
interface Stage {
  /** As `--first` takes it; everybody, if it is not given. */
  readonly first?: string | undefined
  readonly includesNew: boolean
}

/** The first ones; then everybody, and then whoever came since. */
const firstOnes = (days: number) => (days > 2 ? ['1%', '10%', '50%'] : ['30%'])

/**
 * **The seam**: how a stage is announced. These are the arguments of its command, with which it also
 * goes on after a kill.
 */
function argumentsOf({ announce }: Life, { first, includesNew }: Stage): string[] {
  return [
    ...announce,
    ...(first ? ['--first', first] : []),
    ...(includesNew ? ['--include-new'] : []),
  ]
}

/** The next stage: its command is killed in the midst, and at times the server as well, and goes on. */
export async function announcement(life: Life) {
  const had = life.counts.get('announcement') ?? 0
  const firsts = firstOnes(life.days)
  const stage = { first: firsts[had], includesNew: had > firsts.length }
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
  expect(stdout).toContain('The balance holds: ')
}
