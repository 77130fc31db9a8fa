/** @module-tag thorough */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { thisMachine } from '../../../../src/announcement/run/dead-run.ts'
import { openDesk } from '../../../fixtures/desk.ts'
import { enlist } from '../../../fixtures/enlist.ts'
import { people, person } from '../../../store/contracts/people.ts'
import { deskPad, letter } from './desk-pad.ts'

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
    expect(check?.findings.filter(({ verdict }) => /problem|fatal/.test(verdict))).toEqual([])
    expect(check?.people).toEqual({ everyone: 40, 'one-per-cent': 1 })
    expect(await at.pad.store.ledger.announcements()).toEqual([])

    expect((await at.send('one-per-cent', 1)).statusCode).toBe(303)
    const stage = await at.ended()
    expect(stage.progress).toMatchObject({
      state: 'partly',
      end: 'This stage is done.',
      balance: { text: 'The balance holds: 40 = 1 sent + 39 queued', holds: true },
    })
    expect(at.pad.inboxes()).toEqual(emails(1))

    // Somebody in the queue leaves: the page's number is the queue's, and is good all the same.
    await at.pad.store.standings.set([{ email: person(9).email, standing: 'unsubscribed' }])
    expect((await at.page()).progress.tally).toMatchObject({ queued: 39 })
    expect((await at.send('everyone', 40)).statusCode).toBe(409)
    expect((await at.send('everyone', 39)).statusCode).toBe(303)
    const done = await at.ended()
    expect(done.progress).toMatchObject({
      state: 'told',
      end: 'Done.',
      balance: { text: 'The balance holds: 40 = 38 sent + 1 failed + 1 suppressed', holds: true },
      unsent: [
        { email: person(3).email, status: 'failed', answer: expect.stringMatching(/^550/) },
        { email: person(9).email, status: 'suppressed', answer: 'unsubscribed' },
      ],
    })
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
    expect(done.progress.balance).toEqual({
      text: 'The balance holds: 60 = 60 sent',
      holds: true,
    })
    expect(at.pad.inboxes().toSorted()).toEqual([...emails(59), 'late@example.com'].toSorted())
    // One of the desk, which the command has taken over; or the one of the terminal.
    expect(await runsOf(at)).toBeLessThanOrEqual(2)
  })

  it('is begun by one of two forms that are the same, and by none that is sent again later', {
    tags: 'long',
  }, async () => {
    const at = await deskPad(4)
    await at.write()
    const { version } = await at.page()
    const form = { ...at.sending, stage: 'one-per-cent', people: '1', run: '1', version }
    const post = () => at.desk.post('/desk/letters/launch/send', form)
    const answers = await Promise.all([post(), post(), post()])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
    await at.ended()
    expect((await post()).statusCode).toBe(303)
    expect((await at.ended()).progress.tally.sent).toBe(1)
    expect(logsOf(at)).toEqual(['launch.log'])
  })

  it('is sent by the next press where the desk was killed while it began a run', {
    tags: 'long',
  }, async () => {
    const at = await deskPad(2)
    await at.write()
    const desk = { owner: 'desk', host: thisMachine(), pid: 2 ** 22 + 1, announcement: 'launch' }
    await at.pad.store.lock.acquire(desk, 60_000)
    expect((await at.page()).progress).toMatchObject({
      state: 'unsent',
      end: 'The last run was interrupted before it sent anything.',
    })
    expect((await at.send('everyone', 2)).statusCode).toBe(303)
    expect((await at.ended()).progress.tally.sent).toBe(2)
  })

  it('says that a run did not begin whose command could not', { tags: 'long' }, async () => {
    const at = await deskPad(2)
    await at.write()
    Object.assign(at.env, { LINK_KEY: 'no key' })
    expect((await at.send('everyone', 2)).statusCode).toBe(303)
    const { progress } = await at.ended()
    expect(progress).toMatchObject({ state: 'unsent', end: expect.stringMatching(/did not begin/) })
    Object.assign(at.env, { LINK_KEY: '' })
    await at.send('everyone', 2)
    expect((await at.ended()).progress.tally.sent).toBe(2)
  })

  it('is not sent by a page of a run that is not next, and that is said', {
    tags: 'long',
  }, async () => {
    const at = await deskPad(2)
    await at.write()
    for (const run of ['2', 'x']) {
      const answer = await at.send('everyone', 2, { run })
      expect(answer.statusCode, run).toBe(409)
      expect(answer.page).toMatchObject({ error: expect.stringContaining('Nothing was sent.') })
    }
    expect(logsOf(at)).toEqual([])
  })

  it('is not sent where its text changed since it was looked at', { tags: 'long' }, async () => {
    const at = await deskPad(2)
    await at.write()
    const { version } = await at.page()
    await at.write({ was: 'launch', version, text: '# Another text' })
    const answer = await at.send('everyone', 2, { version })
    expect(answer.page).toMatchObject({ error: expect.stringContaining('has changed since') })
    expect(logsOf(at)).toEqual([])
  })

  it('goes on from the desk however often its engine was killed, and tells nobody twice', {
    tags: 'long',
  }, async () => {
    const at = await deskPad(120)
    await at.write()
    for (let kills = 0; kills < 3; kills += 1) {
      const { tally } = (await at.page()).progress
      await at.send('everyone', kills === 0 ? 120 : tally.queued)
      const enough = at.pad.relay.read.length + 20
      await expect.poll(() => at.pad.relay.read.length, { timeout: 20_000 }).toBeGreaterThan(enough)
      process.kill(await pidOf(at), 'SIGKILL')
      const { progress } = await at.ended()
      if (progress.tally.queued === 0) break
      expect(progress).toMatchObject({ state: 'interrupted' })
      expect(progress.end).toMatch(/^The last run was interrupted\./)
    }
    const { tally } = (await at.page()).progress
    await at.send('everyone', tally.queued)
    await expect.poll(async () => (await at.page()).progress.state).toBe('told')
    const { progress } = await at.page()
    expect(progress.balance).toMatchObject({ holds: true })
    expect(progress.tally.sent + progress.tally.uncertain).toBe(120)
    expect(new Set(at.pad.relay.read).size).toBe(at.pad.relay.read.length)
  })

  it('accounts for everybody where its engine was killed with its last letters, with nobody left', {
    tags: 'long',
  }, async () => {
    const at = await deskPad(3, { behaviour: () => 'stall-after-dot' })
    await at.write()
    await at.send('everyone', 3)
    await expect.poll(() => at.pad.relay.read.length, { timeout: 20_000 }).toBe(3)
    process.kill(await pidOf(at), 'SIGKILL')
    await expect.poll(async () => (await at.page()).progress.state).toBe('told')
    const { progress } = await at.page()
    expect(progress.balance).toMatchObject({ holds: true })
    expect(progress.tally).toMatchObject({ uncertain: 3, sending: 0 })
    expect(progress.end).toBe(
      'The last run was interrupted. Nobody is left to be told; 3 people may have the letter or not.',
    )
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
    expect(killed.end).toMatch(/^The last run was interrupted\./)

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
    expect(stopped).toMatchObject({
      state: 'stopped',
      end: 'Stopped, with everything under way finished.',
      balance: { holds: true },
    })
    // What the kill left uncertain, and nothing more.
    expect(stopped.tally.uncertain).toBe(80 - killed.tally.sent - killed.tally.queued)

    // It was not interrupted, so a number is asked for.
    expect((await at.send('everyone', '', { goOn: 'on' })).statusCode).toBe(409)
    await at.send('everyone', stopped.tally.queued)
    const { progress } = await at.ended()
    expect(progress).toMatchObject({ state: 'told', balance: { holds: true } })
    expect(progress.tally.sent + progress.tally.uncertain).toBe(80)
    expect(new Set(relay.read).size).toBe(relay.read.length)
  })

  it('says what the circuit breaker said, and whose turn is next', { tags: 'long' }, async () => {
    const at = await deskPad(60, { behaviour: () => 'refuse' })
    await at.write()
    await at.send('everyone', 60)
    const { progress } = await at.ended()
    expect(progress.state).toBe('stopped')
    expect(progress.end).toMatch(/^Stopped: more than 5 % of this run failed, last with "550 /)
    expect(progress.balance?.holds).toBe(true)
    expect(progress.unsentCount).toBe(progress.tally.failed)
    expect(progress.unsent.length).toBeGreaterThan(0)
  })

  it('says why nothing was sent, names no option of the command, and keeps its check', {
    tags: 'long',
  }, async () => {
    const at = await deskPad(3)
    await at.write()
    await at.check()
    await at.pad.app.close()
    await at.send('everyone', 3)
    const { progress } = await at.ended()
    expect(progress).toMatchObject({
      state: 'unsent',
      end: expect.stringMatching(
        /^Nothing is sent until the problems are solved\. .*Unsubscribing: .*cannot be reached/,
      ),
    })
    expect(progress.found.join('\n')).toMatch(/^Unsubscribing: .*cannot be reached/m)
    const page = await at.page()
    expect(JSON.stringify(page)).not.toMatch(/ --[a-z]/)
    expect(page.check?.people.everyone).toBe(3)
  })

  it('is sent in spite of the problems that were looked at, and not of one that is new since', async () => {
    const at = await deskPad(2, { records: {} })
    await at.write()
    await at.check()
    const { check } = await at.page()
    expect(check?.findings.filter(({ verdict }) => verdict === 'problem')).toHaveLength(2)
    const at9 = new Date(Date.now() + 86_400_000)
    const opening = { url: 'https://app.example.com/', at: at9, openedAt: undefined, zone: 'UTC' }
    await at.pad.store.opening.set(opening)
    // The page still shows the two.
    expect((await at.send('everyone', 2, { force: 'on' })).statusCode).toBe(303)
    const held = await at.ended()
    expect(at.pad.inboxes()).toEqual([])
    expect(held.progress.found.join('\n')).toMatch(/^Page: /m)
    // Now it shows all three.
    expect(held.mayForce).toBe(true)
    expect((await at.send('everyone', 2, { force: 'on' })).statusCode).toBe(303)
    await at.ended()
    expect(at.pad.inboxes()).toHaveLength(2)
  })

  it('that is sent from the command line is seen, and stopped, at the desk', {
    tags: 'long',
  }, async () => {
    const at = await deskPad(200)
    await at.write()
    const program = at.pad.startAnnounce(['--rate', '20'])
    await expect.poll(() => at.pad.relay.read.length, { timeout: 20_000 }).toBeGreaterThan(2)
    expect((await at.page()).progress).toMatchObject({
      state: 'sending',
      by: `${hostname()}, process ${program.pid}`,
    })
    expect((await at.send('everyone', 200)).page).toMatchObject({
      error: expect.stringMatching(/^An announcement is being sent already/),
    })
    await at.stop()
    expect(await program.ended).toBe(130)
    expect((await at.ended()).progress).toMatchObject({
      state: 'stopped',
      end: 'Stopped, with everything under way finished.',
      balance: { holds: true },
    })
  })

  it('that was sent from the command line and killed goes on with one press', {
    tags: 'long',
  }, async () => {
    const at = await deskPad(60)
    await at.write()
    const program = at.pad.startAnnounce(['--rate', '20'])
    await expect.poll(() => at.pad.relay.read.length, { timeout: 20_000 }).toBeGreaterThan(5)
    await program.end('SIGKILL')
    expect((await at.ended()).progress).toMatchObject({ state: 'interrupted', goesOn: 'everyone' })
    expect((await at.pad.run(['status'])).stdout).toContain('interrupted: the same command goes on')
    await at.send('everyone', '', { goOn: 'on', force: 'on' })
    const { progress } = await at.ended()
    expect(progress).toMatchObject({ state: 'told', balance: { holds: true } })
    expect(progress.tally.sent + progress.tally.uncertain).toBe(60)
    expect(new Set(at.pad.relay.read).size).toBe(at.pad.relay.read.length)
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

  it('sends a test that nobody counts, as the command does', { tags: 'long' }, async () => {
    const at = await deskPad(2)
    await at.write()
    const test = (to: string) => at.desk.post('/desk/letters/launch/test', { ...at.sending, to })
    await test('me@example.org')
    expect((await at.page()).test).toMatchObject({
      isSent: true,
      text: expect.stringMatching(/^A test is on its way to me@/),
    })
    expect(at.pad.inboxes()).toEqual(['me@example.org'])
    expect((await test('no address')).page).toMatchObject({
      error: '"no address" is not an e-mail address.',
    })
    expect(await at.pad.store.ledger.announcements()).toEqual([])
  })

  it('sends a test once that is pressed twice, and another text or address at once', {
    tags: 'long',
  }, async () => {
    const at = await deskPad(2)
    await at.write()
    const test = (to: string) => at.desk.post('/desk/letters/launch/test', { ...at.sending, to })
    await Promise.all([test('me@example.org'), test('me@example.org')])
    await test('me@example.org')
    expect((await at.page()).test).toMatchObject({
      isSent: true,
      to: 'me@example.org',
      text: 'It was just sent to me@example.org. In half a minute it can be sent again.',
    })
    expect(at.pad.inboxes()).toEqual(['me@example.org'])
    await test('you@example.org')
    await at.write({ was: 'launch', text: '# Another', version: (await at.page()).version })
    await test('me@example.org')
    expect(at.pad.inboxes()).toEqual(['me@example.org', 'you@example.org', 'me@example.org'])
  })

  it('sends a test again at once that was not accepted', { tags: 'long' }, async () => {
    let isRefused = true
    const at = await deskPad(2, { behaviour: () => (isRefused ? 'refuse' : 'accept') })
    await at.write()
    const test = () => at.desk.post('/desk/letters/launch/test', { ...at.sending, to: 'me@b.org' })
    await test()
    expect((await at.page()).test?.isSent).toBe(false)
    isRefused = false
    await test()
    expect((await at.page()).test?.isSent).toBe(true)
  })

  it('shows what came of a test once, and keeps its address no longer', {
    tags: 'long',
  }, async () => {
    const at = await deskPad(2)
    await at.write()
    await at.desk.post('/desk/letters/launch/test', { ...at.sending, to: 'me@example.org' })
    expect((await at.page()).test?.to).toBe('me@example.org')
    expect(JSON.stringify(await at.page())).not.toContain('me@example.org')
  })

  it('names the settings that are missing, and sends nothing without them', {
    tags: 'long',
  }, async () => {
    const at = await deskPad(2)
    const bare = await openDesk({ home: at.home, env: {} })
    await bare.post('/desk/letters', { ...letter, from: '' })
    const { page } = await bare.get('/desk/letters/launch')
    expect(page).toMatchObject({
      missing: [expect.stringMatching(/^SMTP_URL: /), expect.stringMatching(/^PUBLIC_URL: /)],
      mistakes: ['from: is missing; name a sender here or in MAIL_FROM'],
    })
    const answer = await bare.post('/desk/letters/launch/send', {
      stage: 'everyone',
      people: '2',
      run: '1',
      version: '',
    })
    expect(answer.page).toMatchObject({ error: expect.stringContaining('SMTP_URL: is not set') })
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
