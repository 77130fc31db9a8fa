/** @module-tag thorough */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { LetterPage } from '../../../../src/desk/contract/letters.ts'
import { asJson } from '../../../../src/report/json.ts'
import { enlist } from '../../../fixtures/enlist.ts'
import { people, person } from '../../../store/contracts/people.ts'
import { deskPad, notesIn } from './desk-pad.ts'

const said = ({ progress }: LetterPage) => notesIn(progress).map(({ text }) => text)

const emails = (count: number) => people(count).map(({ email }) => email)

describe('a letter at the desk', () => {
  it('goes from its first words through the lights and one per cent to everyone, and its log names nobody', async () => {
    const at = await deskPad(40, {
      behaviour: (to) => (to === person(3).email ? 'refuse' : 'accept'),
    })
    expect((await at.write()).headers.location).toBe('/desk/letters/launch')
    expect((await at.page()).progress).toMatchObject({ state: 'unsent' })
    expect((await at.check()).statusCode).toBe(303)
    const { check } = await at.page()
    expect(notesIn(check).filter(({ weight }) => weight === 'bad')).toEqual([])
    expect(check?.people).toEqual({ everyone: 40, 'one-per-cent': 1 })
    expect(await at.pad.store.ledger.announcements()).toEqual([])

    expect((await at.send('one-per-cent', 1)).statusCode).toBe(303)
    const stage = await at.ended()
    expect(stage.progress.state).toBe('partly')
    expect(said(stage).slice(0, 2)).toEqual([
      'This stage is done.',
      'The balance holds: 40 = 1 sent + 39 queued',
    ])
    expect(at.pad.inboxes()).toEqual(emails(1))

    // Somebody in the queue leaves: the page's number is the queue's, and is good all the same.
    await at.pad.store.standings.set([{ email: person(9).email, standing: 'unsubscribed' }])
    expect((await at.page()).progress.tally).toMatchObject({ queued: 39 })
    expect((await at.send('everyone', 40)).statusCode).toBe(409)
    expect((await at.send('everyone', 39)).statusCode).toBe(303)
    const done = await at.ended()
    expect(done.progress.state).toBe('told')
    expect(said(done)).toEqual(
      expect.arrayContaining(['Done.', 'The balance holds: 40 = 38 sent + 1 failed + 1 left out']),
    )
    expect(asJson(done.progress.report).notSent).toEqual([
      { email: person(3).email, status: 'failed', answer: expect.stringMatching(/^550/) },
      { email: person(9).email, status: 'suppressed', answer: 'unsubscribed' },
    ])
    expect(at.pad.inboxes()).toHaveLength(38)

    const folder = join(at.home.dataDir, 'letters')
    const logs = readdirSync(folder).filter((name) => name.endsWith('.log'))
    expect(logs).toEqual(['launch.log'])
    for (const log of logs) {
      expect(statSync(join(folder, log)).mode & 0o777).toBe(0o600)
      expect(readFileSync(join(folder, log), 'utf8')).not.toMatch(/@example\.com/)
    }
  })

  it('is sent once to as many as are typed, whatever is pressed at the same time in two tabs and on the command line', async () => {
    const at = await deskPad(59)
    await at.write()
    await at.check()
    await at.pad.store.list.add('late@example.com')
    for (const typed of ['59', '', 'all', '60; rm -rf /', '-60', '060x']) {
      const answer = await at.send('everyone', typed)
      expect(answer.statusCode, typed).toBe(409)
      expect(answer.page).toMatchObject({ error: expect.stringContaining('Nothing was sent: ') })
    }
    const wrongStage = await at.send('everyone --force', '60')
    expect(wrongStage.page).toMatchObject({ error: 'That is no stage.' })
    expect(logsOf(at)).toEqual([])
    expect(await at.pad.store.ledger.announcements()).toEqual([])
    const [one, other, command] = await Promise.all([
      at.send('everyone', 60),
      at.send('everyone', 60),
      at.pad.announce(),
    ])
    expect([one.statusCode, other.statusCode]).toEqual([303, 303])
    // Whoever came second to the lock is told so, and nobody else.
    expect([0, 1]).toContain(command.code)
    const done = await at.ended()
    expect(said(done)).toContain('The balance holds: 60 = 60 sent')
    expect(at.pad.inboxes().toSorted()).toEqual([...emails(59), 'late@example.com'].toSorted())
    // One of the desk, which the command has taken over; or the one of the terminal.
    expect(await runsOf(at)).toBeLessThanOrEqual(2)
  })

  it('says that a run did not begin whose command could not', { tags: 'long' }, async () => {
    const at = await deskPad(2)
    await at.write()
    Object.assign(at.env, { LINK_KEY: 'no key' })
    expect((await at.send('everyone', 2)).statusCode).toBe(303)
    const page = await at.ended()
    expect(page.progress.state).toBe('unsent')
    expect(said(page)[0]).toMatch(/did not begin/)
    Object.assign(at.env, { LINK_KEY: '' })
    await at.send('everyone', 2)
    expect((await at.ended()).progress.tally.sent).toBe(2)
  })

  it('goes on from the desk where its engine was killed, and where it was asked to stop, and tells nobody twice', async () => {
    const gate = heldGate()
    const at = await deskPad(80, { relay: { before: gate.pass } })
    const { relay } = at.pad
    await at.write()
    await at.send('everyone', 80, { rate: '60' })
    await expect.poll(() => relay.read.length, { timeout: 20_000 }).toBeGreaterThan(10)
    process.kill(await pidOf(at), 'SIGKILL')
    const killed = (await at.ended()).progress
    expect(killed).toMatchObject({ state: 'interrupted', goesOn: 'everyone' })
    expect(notesIn(killed)[0]?.text).toMatch(/^The last run was interrupted\./)

    const before = relay.read.length
    // One press, and no number.
    await at.send('everyone', '', { rate: '40', goOn: 'on' })
    await expect.poll(() => relay.read.length, { timeout: 20_000 }).toBeGreaterThan(before + 4)
    // A letter under way keeps the run alive until all of them were pressed.
    await gate.hold()
    const stops = [...(await Promise.all([at.stop(), at.stop()])), await at.stop()]
    expect(stops.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
    gate.open()
    const stopped = (await at.ended()).progress
    expect(stopped.state).toBe('stopped')
    expect(notesIn(stopped)).toMatchObject([
      { text: 'Stopped, with everything under way finished.' },
      { code: 'balance', data: { holds: true } },
      ...notesIn(stopped).slice(2),
    ])
    // What the kill left uncertain, and nothing more.
    expect(stopped.tally.uncertain).toBe(80 - killed.tally.sent - killed.tally.queued)

    // It was not interrupted, so a number is asked for.
    expect((await at.send('everyone', '', { goOn: 'on' })).statusCode).toBe(409)
    await at.send('everyone', stopped.tally.queued)
    const { progress } = await at.ended()
    expect(progress.state).toBe('told')
    expect(asJson(progress.report).notes).toContainEqual({ code: 'balance', holds: true })
    expect(progress.tally.sent + progress.tally.uncertain).toBe(80)
    expect(new Set(relay.read).size).toBe(relay.read.length)
  })

  it('is sent in spite of the problems that were looked at, and not of one that is new since', async () => {
    const at = await deskPad(2, { records: {} })
    await at.write()
    await at.check()
    const { check } = await at.page()
    expect(notesIn(check).filter(({ data }) => data?.verdict === 'problem')).toHaveLength(2)
    const at9 = new Date(Date.now() + 86_400_000)
    const opening = { url: 'https://app.example.com/', at: at9, openedAt: undefined, zone: 'UTC' }
    await at.pad.store.opening.set(opening)
    // The page still shows the two.
    expect((await at.send('everyone', 2, { force: 'on' })).statusCode).toBe(303)
    const held = await at.ended()
    expect(at.pad.inboxes()).toEqual([])
    expect(notesIn(held.progress).map(({ label }) => label)).toContain('Page')
    // Now it shows all three.
    expect(held.mayForce).toBe(true)
    expect((await at.send('everyone', 2, { force: 'on' })).statusCode).toBe(303)
    await at.ended()
    expect(at.pad.inboxes()).toHaveLength(2)
  })

  it('that another machine sends is not stopped from here, and it is said how', {
    tags: 'long',
  }, async () => {
    const at = await deskPad(3)
    await at.write()
    const { store } = at.pad
    const there = { owner: 'there', host: 'elsewhere 7', pid: process.pid, announcement: 'launch' }
    await store.lock.acquire(there, 60_000)
    await store.ledger.begin('there', 'launch', { subject: 'We are live', digest: 'x' })
    await enlist(store, 'there', 'launch', people(3))
    await store.ledger.countEligible('there', 'launch')
    await store.ledger.claim('there', 'launch', { limit: 1, which: 'untried' })
    expect((await at.page()).progress).toMatchObject({ state: 'sending' })
    expect((await at.stop()).page).toMatchObject({
      error: expect.stringContaining(`The run is process ${process.pid} on elsewhere`),
    })
  })
})

const runsOf = async ({ pad }: Awaited<ReturnType<typeof deskPad>>) =>
  (await pad.store.lock.run('launch'))?.number

const logsOf = ({ home }: { home: { dataDir: string } }) =>
  readdirSync(join(home.dataDir, 'letters')).filter((name) => name.endsWith('.log'))

/** What recipients pass, until one is held back. */
function heldGate() {
  let held: PromiseWithResolvers<void> | undefined
  let opened: PromiseWithResolvers<void> | undefined
  return {
    async pass() {
      held?.resolve()
      await opened?.promise
    },
    /** From now on nobody passes. Resolves when somebody waits. */
    hold() {
      held = Promise.withResolvers()
      opened = Promise.withResolvers()
      return held.promise
    },
    open: () => opened?.resolve(),
  }
}

async function pidOf(at: Awaited<ReturnType<typeof deskPad>>): Promise<number> {
  const { pid } = (await at.pad.store.lock.holder()) ?? {}
  if (!pid) throw new Error('nobody sends')
  return pid
}
