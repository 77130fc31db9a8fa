/** @module-tag thorough */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isDead, thisMachine } from '../../../../src/announcement/run/dead-run.ts'
import { runIn } from '../../../../src/announcement/run/run-words.ts'
import { letterOf, seen } from '../../../../src/desk/server/letters/engine.ts'
import {
  engineOf,
  isOnItsWay,
  noTally,
  progressOf,
} from '../../../../src/desk/server/letters/progress.ts'
import {
  beginLog,
  lastRun,
  nextNumber,
  noteInLog,
  type Run,
  type RunHead,
} from '../../../../src/desk/server/letters/run-log.ts'
import { noSuppressions } from '../../../../src/store/delivery-ledger.ts'
import { tempDir } from '../../../fixtures/temp-dir.ts'
import { neglected } from '../../../fixtures/zombie.ts'

const head: RunHead = {
  stage: 'everyone',
  at: '2026-11-22T09:00:00.000Z',
  host: thisMachine(),
  people: 40,
  before: 0,
  args: ['--rate=10'],
}

const letters = () => join(tempDir(), 'letters')

describe('the log of a run', () => {
  it('is begun by the first who asks for its number, and by nobody else', () => {
    const folder = letters()
    expect(beginLog(folder, 'launch', 2, head)).toBeUndefined()
    expect(beginLog(folder, 'launch', 1, head)).toBeDefined()
    expect(beginLog(folder, 'launch', 1, head)).toBeUndefined()
    expect(beginLog(folder, 'launch', 2, head)).toBeDefined()
    expect(beginLog(folder, 'launch-2', 1, head)).toBeDefined()
    expect(lastRun(folder, 'launch')?.number).toBe(2)
  })

  it('tells what is known of it: its process, its last words and its end', () => {
    const folder = letters()
    const log = beginLog(folder, 'launch', 1, head) ?? 0
    expect(lastRun(folder, 'launch')).toMatchObject({ head, pid: undefined, report: undefined })
    noteInLog(folder, 'launch', 1, { pid: 4711 })
    writeSync(log, 'launch, "We are live": 40 to send\n{ no json\n')
    expect(lastRun(folder, 'launch')).toMatchObject({
      pid: 4711,
      isStopAsked: false,
      lines: ['launch, "We are live": 40 to send', '{ no json'],
    })
    noteInLog(folder, 'launch', 1, { stop: head.at })
    writeSync(
      log,
      `${JSON.stringify({ why: 'interrupted', answer: '', tally: { sent: 3 } })}\nStopped.\n`,
    )
    expect(lastRun(folder, 'launch')).toMatchObject({
      isStopAsked: true,
      report: { why: 'interrupted', tally: { sent: 3 } },
    })
  })

  it('is read from both its ends however long it is', () => {
    const folder = letters()
    beginLog(folder, 'launch', 1, head)
    noteInLog(folder, 'launch', 1, { pid: 4711 })
    const file = join(folder, 'launch.1.log')
    appendFileSync(file, '1,234 of 40,000, 10.0/s\n'.repeat(50_000))
    appendFileSync(file, `${JSON.stringify({ why: 'done', answer: '', tally: {} })}\nDone.\n`)
    const run = lastRun(folder, 'launch')
    expect(run).toMatchObject({ pid: 4711, report: { why: 'done' } })
    expect(run?.lines.length).toBeLessThanOrEqual(40)
    expect(run?.lines.at(-1)).toBe('Done.')
  })

  it('goes when twenty newer ones are there', () => {
    const folder = letters()
    for (let n = 1; n <= 25; n += 1) beginLog(folder, 'launch', n, head)
    expect(readdirSync(folder)).toHaveLength(20)
    expect(beginLog(folder, 'launch', 1, head)).toBeUndefined()
    expect(beginLog(folder, 'launch', 26, head)).toBeDefined()
  })

  it('that is none, or a broken one, is taken for none', () => {
    const folder = letters()
    expect(lastRun(folder, 'launch')).toBeUndefined()
    beginLog(folder, 'launch', 1, head)
    appendFileSync(join(folder, 'launch.2.log'), 'not a log\n')
    expect(lastRun(folder, 'launch')).toBeUndefined()
  })

  it('that is none keeps its number, and nobody from the next one', () => {
    const folder = letters()
    beginLog(folder, 'launch', 1, head)
    appendFileSync(join(folder, 'launch.2.log'), '')
    expect(nextNumber(folder, 'launch')).toBe(3)
    expect(beginLog(folder, 'launch', 3, head)).toBeDefined()
  })

  it('is not there where its head cannot be written, as on a full disk', () => {
    const folder = letters()
    const module = join(import.meta.dirname, '../../../../src/desk/server/letters/run-log.ts')
    const begin = `import { beginLog } from ${JSON.stringify(module)}
      beginLog(${JSON.stringify(folder)}, 'launch', 1, ${JSON.stringify(head)})`
    const command = 'ulimit -f 0; exec "$0" --input-type=module -e "$1"'
    const { status, stderr } = spawnSync('sh', ['-c', command, process.execPath, begin])
    expect(status).not.toBe(0)
    expect(String(stderr)).toContain('EFBIG')
    expect(readdirSync(folder)).toEqual([])
    expect(beginLog(folder, 'launch', 1, head)).toBeDefined()
  })
})

describe('who sends a letter', () => {
  const here = { owner: 'x', host: thisMachine(), pid: 4711 }
  const run = {
    number: 1,
    head,
    pid: 4711,
    isStopAsked: false,
    report: undefined,
    lines: [],
  }
  const calm = { sending: 0 }
  const tool = (...args: string[]) => ({ is: 'tool', command: 'announce', args }) as const

  it('is whoever has the lock and was given its file', () => {
    const look = () => tool('/srv/letters/launch.md', '--rate=10')
    expect(engineOf('launch', here, undefined, calm, look)).toEqual(here)
    expect(engineOf('launch-2', here, undefined, { sending: 5 }, look)).toBeUndefined()
  })

  it('is the desk’s own run before that has the lock', () => {
    const own = { host: here.host, pid: 4711 }
    expect(engineOf('launch', undefined, run, calm, () => tool('launch.md'))).toEqual(own)
    expect(engineOf('launch', undefined, run, calm, () => ({ is: 'gone' }))).toBeUndefined()
  })

  it('is nobody where the holder of the lock has ended, whatever its number is now', () => {
    expect(engineOf('launch', here, run, { sending: 5 }, () => ({ is: 'gone' }))).toBeUndefined()
    // This very process is a test, and no announcement.
    expect(seen({ host: thisMachine(), pid: process.pid })).toEqual({ is: 'gone' })
    expect(seen({ host: thisMachine(), pid: 2 ** 22 + 1 })).toEqual({ is: 'gone' })
    expect(seen({ host: 'elsewhere', pid: process.pid })).toEqual({ is: 'elsewhere' })
  })

  it('is the desk’s own run while its program is loaded, and nobody by that an hour later', () => {
    const look = () => ({ is: 'loading' }) as const
    const begun = Date.parse(head.at)
    const at = (now: number) => engineOf('launch', undefined, run, calm, look, now)
    expect(at(begun + 100)).toEqual({ host: here.host, pid: 4711 })
    expect(at(begun + 3_600_000)).toBeUndefined()
    const holder = { ...here, pid: 4712 }
    expect(engineOf('launch', holder, undefined, { sending: 5 }, look, begun)).toBeUndefined()
  })

  it('is seen from the moment it runs, and gone as soon as it has ended', async () => {
    // Linux shows what a program was told a moment after it runs.
    for (let n = 0; n < 100; n += 1) {
      const args = ['-c', 'read _; exit', 'bin/opening-bell', 'announce', 'launch.md']
      const engine = spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'] })
      const id = { host: thisMachine(), pid: engine.pid ?? 0 }
      expect(seen(id).is).toMatch(/^(loading|tool)$/)
      await expect.poll(() => seen(id).is, { interval: 1 }).toBe('tool')
      engine.stdin.end()
      await once(engine, 'exit')
      expect(seen(id)).toEqual({ is: 'gone' })
    }
  })

  it('is gone where it has ended and nobody has asked how', async () => {
    const { pid, end } = await neglected()
    const id = { host: thisMachine(), pid }
    expect(isDead(id)).toBe(false)
    await end()
    expect(seen(id)).toEqual({ is: 'gone' })
    expect(isDead(id)).toBe(true)
  })

  it('is told by the log or the ledger where the process hides what it is', () => {
    const look = () => ({ is: 'hidden' }) as const
    expect(engineOf('launch', here, run, calm, look)).toEqual(here)
    expect(engineOf('launch', here, undefined, { sending: 1 }, look)).toEqual(here)
    expect(engineOf('launch', here, undefined, calm, look)).toBeUndefined()
  })

  it('may be a run on its way, for a minute, unless that has ended', () => {
    const begun = Date.parse(head.at)
    const silent = { ...run, pid: undefined }
    expect(isOnItsWay(silent, begun + 1000)).toBe(true)
    expect(isOnItsWay(silent, begun + 61_000)).toBe(false)
    expect(isOnItsWay({ ...run, pid: 2 ** 22 + 1 }, begun + 1000)).toBe(false)
    expect(isOnItsWay(undefined)).toBe(false)
  })

  const announcement = {
    id: 'launch',
    subject: 'We are live',
    digest: 'one',
    eligible: 5,
    begunAt: new Date(),
    cutOff: new Date(),
  }
  const endOf = (lines: Run['lines'], queued = 5) => {
    const tally = { ...noTally, queued, untried: queued }
    const ended = { announcement, tally, suppressed: noSuppressions(), engine: undefined }
    return progressOf({ ...ended, run: { ...run, lines } })
  }

  it('says what it could not do, in words of the desk', () => {
    const refusal = { code: 'letter-asks', id: 'launch', asked: 'question' } as const
    const { end, said } = endOf([
      { code: 'settled', uncertain: 2 },
      { code: 'refused', refusal },
    ])
    expect(end).toMatch(/^"launch" was sent as a question /)
    expect(said).toHaveLength(2)
    expect(said.join()).not.toMatch(/--[a-z]/)
  })

  it('says that it was cut off where its log has no end, whichever version kept it', () => {
    expect(endOf([{ code: 'begun', toSend: 5 }]).end).toMatch(/^The last run was cut off\./)
    const before = ['launch, "We are live": 5 to send', '1 of 5, 10.0/s']
    expect(endOf(before)).toMatchObject({
      end: expect.stringMatching(/^The last run was cut off\./),
      said: before,
    })
  })

  it('is known by the tool’s path: no other process is taken for it and ended', () => {
    for (const tool of ['src/cli/main.ts', 'src/cli/main.js', 'bin/opening-bell'])
      expect(runIn(['node', `/srv/${tool}`, 'announce', 'a.md'])).toMatchObject({ args: ['a.md'] })
    expect(runIn(['node', '/srv/src/server/main.ts', 'announce'])).toBeUndefined()
    expect(runIn(['node', '/srv/src/cli/main.ts', 'status'])).toBeUndefined()
  })

  it('is never taken for the sender of an option’s value', () => {
    expect(letterOf(tool('--also-who-got=launch', '/a/second.md'), ['launch'])).toBeUndefined()
    expect(
      letterOf({ is: 'tool', command: 'ask', args: ['launch.md'] }, ['launch']),
    ).toBeUndefined()
  })
})
