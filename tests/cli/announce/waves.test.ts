/** @module-tag thorough */
import { describe, expect, it } from 'vitest'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { ended } from '../../fixtures/run.ts'
import { PLACE, toldAt } from '../../fixtures/told.ts'
import { people, person } from '../../store/contracts/people.ts'

const emails = (count: number) => people(count).map(({ email }) => email)

/** Ten people to be told, five an hour, somebody who gets notices, and a mail server that may be away. */
async function withoutMail() {
  const pad = await launchPad(10)
  const { store } = pad
  const plan = ['--waves', '5', '--every', '1h']
  await store.notices.open([PLACE], new Date())
  return {
    pad,
    plan,
    /** Announces where no mail server listens. */
    noMail: (...more: string[]) => {
      const args = ['announce', pad.launch, '--dns-server', pad.dns.server, ...plan, ...more]
      return pad.run(args, { SMTP_URL: 'smtp://127.0.0.1:1' })
    },
    told: () => toldAt(store),
    /** Keeps what would be kept an hour later. @returns what lets go of the lock */
    async makeDue() {
      const owner = 'test'
      await store.lock.acquire({ owner, host: 'here', pid: process.pid }, 60_000)
      const kept = (await store.ledger.findAnnouncement('launch'))?.waves
      if (kept) await store.ledger.keepWaves(owner, 'launch', { ...kept, nextAt: new Date() })
      return () => store.lock.release(owner)
    },
  }
}

describe('the command announce --waves', () => {
  it('shows the plan, sends wave after wave while it stays, and ends with a true balance', async () => {
    const pad = await launchPad(40)
    const plan = ['--waves', '10%,50%,100%', '--every', '1s']
    const dry = await pad.announce(...plan, '--dry-run')
    expect(dry).toMatchObject({ code: 0, stdout: `${emails(40).join('\n')}\n` })
    expect(dry.stderr).toMatch(/wave 1 of 3 +now +4 +4\nwave 2 of 3 +\d{4}-.* +16 +20\n/)
    expect(dry.stderr).toMatch(/when \([\w/+-]+\) +to send +in all/)
    expect(await pad.store.ledger.announcements()).toEqual([])

    const { code, stdout, stderr } = await pad.announce(...plan)
    expect(code).toBe(0)
    expect(stderr).toContain(
      'Wave 1 of 3: 4 told, 0 failed (0 %), 0 unsubscribed or complained (0 %) so far.',
    )
    expect(stderr).toMatch(/\nWave 2 of 3 comes at \d{4}-.*, in 1 s\. Ctrl-C is safe\.\n/)
    expect(stderr).toContain('Wave 3 of 3: 20 told')
    expect(stdout).toContain('The balance holds: 40 = 40 sent')
    expect(pad.inboxes().slice(0, 4).toSorted()).toEqual(emails(4).toSorted())
    expect(pad.inboxes().toSorted()).toEqual(emails(40).toSorted())
    expect((await pad.announce(...plan)).stderr).toContain('No wave is left.')
    expect(pad.inboxes()).toHaveLength(40)
  })

  it('plans as many letters for each wave as it then sends, though some left and others are left out', async () => {
    const pad = await launchPad(20)
    const { standings, list } = pad.store
    const left = [3, 12, 20].map((n) => ({ email: person(n).email, standing: 'bounced' }) as const)
    await standings.set(left)
    await list.add('robot@example.com', { suspicion: 'hidden-field' })
    await list.add('root@[127.0.0.1]')
    const plan = ['--waves', '50%,75%,100%', '--every', '1s', '--json']
    const planned = ({ stdout }: { readonly stdout: string }) =>
      JSON.parse(stdout.split('\n')[0] ?? '').plan

    const dry = await pad.announce(...plan, '--dry-run')
    expect(dry.stderr).toContain('17 to send, of 22 people: 5 left out.')
    const waves = [
      { number: 1, size: 10, inAll: 10 },
      { number: 2, size: 5, inAll: 15 },
      { number: 3, size: 2, inAll: 17 },
    ]
    expect(planned(dry)).toMatchObject(waves)
    await pad.announce(...plan, '--no-wait')
    expect(pad.inboxes()).toHaveLength(10)
    expect(planned(await pad.announce(...plan, '--dry-run'))).toMatchObject(waves.slice(1))

    const { stdout, stderr } = await pad.announce(...plan)
    const sent = stdout.split('\n').slice(1, 3)
    expect(sent.map((line) => JSON.parse(line).tally.sent)).toEqual([15, 17])
    expect(stderr.match(/\d+ to send, to/g)).toEqual(['5 to send, to', '2 to send, to'])
  })

  it('is stopped with Ctrl-C between waves, and goes on by the plan that it began with alone', {
    tags: 'long',
  }, async () => {
    const pad = await launchPad(20)
    const plan = ['--waves', '5', '--every', '1h']
    const program = pad.startAnnounce(plan)
    await program.printed(/Ctrl-C is safe/)
    program.signal('SIGINT')
    const stopped = await ended(program)
    expect(stopped.code).toBe(130)
    expect(stopped.stderr).toContain(
      'Stopped between waves. The same command goes on where it was.',
    )
    expect(pad.inboxes()).toHaveLength(5)

    const status = await pad.run(['status'])
    expect(status.stdout).toMatch(/5 sent.*; wave 2 not before \d{4}-/)

    // Whoever forgets the plan does not tell everybody at once by that.
    const without = await pad.announce()
    expect(without).toMatchObject({ code: 1, stdout: '' })
    expect(without.stderr).toBe(
      '"launch" goes out in waves, and not everybody is told. To go on: --waves 5 --every 1h. To tell the rest at once: --change-plan.\n',
    )
    expect(await pad.announce('--include-new')).toMatchObject({ code: 1 })
    const other = await pad.announce('--waves', '10', '--every', '1h')
    expect(other).toMatchObject({ code: 1, stdout: '' })
    expect(other.stderr).toContain('goes out by another plan: --waves 5 --every 1h.')

    const early = await pad.announce(...plan, '--no-wait', '--json')
    expect(early.code).toBe(0)
    const due = JSON.parse(early.stdout)
    expect(due).toMatchObject({ why: 'notDue', waves: { number: 1, waves: '5' } })
    // Nobody is counted for it, so it names no number that a count would correct.
    expect(early.stderr).not.toMatch(/to send/)
    expect(early.stderr).toMatch(
      /The next wave is due \d{4}-.*\. Give the same command again then\./,
    )
    expect(pad.inboxes()).toHaveLength(5)

    const changed = await pad.announce('--waves', '50%,100%', '--every', '1s', '--change-plan')
    expect(changed.code).toBe(0)
    expect(pad.inboxes().toSorted()).toEqual(emails(20).toSorted())
  })

  it('gives the plan up where that is asked, and tells the rest', async () => {
    const pad = await launchPad(10)
    await pad.announce('--waves', '5', '--every', '1h', '--no-wait')
    await pad.store.standings.unsubscribe(pad.ids.of(person(9).email))
    const { code, stdout, stderr } = await pad.announce('--change-plan')
    expect(code).toBe(0)
    expect(stderr).toMatch(/Time +4 to send/)
    expect(stderr).toMatch(/^launch, "We are live": 4 to send/m)
    expect(stdout).toContain('The balance holds: 10 = 9 sent + 1 suppressed')
    expect(await pad.announce()).toMatchObject({ code: 0 })
  })

  it('stops when too many leave, says with which figures, and goes on with --go-on', async () => {
    const pad = await launchPad(20)
    const plan = ['--waves', '50%,100%', '--every', '1s']
    await pad.announce(...plan, '--no-wait')
    await pad.store.standings.unsubscribe(pad.ids.of(person(1).email))
    await pad.store.standings.set([{ email: person(2).email, standing: 'complained' }])
    const stopped = await pad.announce(...plan)
    expect(stopped.code).toBe(1)
    expect(stopped.stderr).toContain(
      'Stopped at wave 1 of 2: 2 of 10 people unsubscribed or complained, 20 %. The limit is 0.3 %.',
    )
    expect(stopped.stderr).toContain('give the same command once with --go-on')
    expect(pad.inboxes()).toHaveLength(10)
    expect(await pad.announce(...plan, '--go-on')).toMatchObject({ code: 0 })
    expect(pad.inboxes()).toHaveLength(20)
  })

  it('prints a line for each wave, for programs', async () => {
    const pad = await launchPad(10)
    const { stdout } = await pad.announce('--waves', '5', '--every', '1s', '--json')
    const [plan, first, last] = stdout.split('\n').map((line) => JSON.parse(line || '{}'))
    expect(plan.plan).toHaveLength(2)
    expect(first).toMatchObject({
      why: 'done',
      holds: true,
      tally: { sent: 5, queued: 5 },
      wave: { number: 1, told: 5, failed: 0, left: 0 },
      announcement: { waves: { number: 1, target: 5, endedAt: expect.any(String) } },
    })
    expect(last).toMatchObject({
      why: 'done',
      holds: true,
      tally: { sent: 10, queued: 0 },
      announcement: { waves: { number: 2, target: 10, isLast: true } },
    })
    expect(stdout).not.toContain('@')
  })

  it('goes on in spite of what it found and was named at its start, and of nothing that comes later', async () => {
    const pad = await launchPad(12, { records: {} })
    const plan = ['--waves', '2', '--every', '1s']
    const url = 'https://app.example.org/'
    const tomorrow = new Date(Date.now() + 86_400_000)
    await pad.store.opening.set({ url, at: tomorrow, openedAt: undefined, zone: 'UTC' })
    const options = ['--force', 'spf,dmarc', '--before-opening']
    const held = await pad.announce(...plan)
    expect(held).toMatchObject({ code: 1, stderr: expect.stringContaining(options.join(' ')) })
    expect(pad.inboxes()).toEqual([])

    const program = pad.startAnnounce([...plan, ...options])
    // By then, a later pre-flight has passed over missing records and a page that is to open.
    await program.printed(/Wave 2: 2 told/)
    const now = new Date()
    await pad.store.opening.set({ url, at: now, openedAt: now, zone: 'UTC' })
    const { code, stderr } = await ended(program)
    expect(code).toBe(1)
    expect(stderr).toMatch(/PROBLEM +Page +PUBLIC_URL is not set/)
    expect(stderr).toMatch(
      /Nothing more is sent\. Solve the problems above, or give the same command again with --force spf,dmarc,page-no-url\.\n$/,
    )
    expect(pad.inboxes().length).toBeLessThan(12)
  })

  it('tells an operator who starts it by a timer that the pre-flight failed when a wave was due', {
    tags: 'long',
  }, async () => {
    const { pad, plan, noMail, told } = await withoutMail()

    // Whoever begins it with a command that stays is there, and a dry run is no attempt.
    expect(await noMail()).toMatchObject({ code: 1 })
    expect(await noMail('--no-wait', '--dry-run')).toMatchObject({ code: 1 })
    expect(await told()).toEqual([])

    const data = { alarm: 'announcement', announcement: 'launch', why: 'unready' }
    expect(await noMail('--no-wait')).toMatchObject({ code: 1 })
    expect(await noMail('--no-wait')).toMatchObject({ code: 1 })
    expect(await told()).toMatchObject([{ type: 'alarm.began', data }])

    expect(await pad.announce(...plan, '--no-wait')).toMatchObject({ code: 0 })
    expect(await told()).toMatchObject([{ type: 'alarm.began' }, { type: 'alarm.ended' }])
    expect(pad.inboxes()).toHaveLength(5)
  })

  it('rings for no wave that is not due, or is being sent, and not when everybody is told', {
    tags: 'long',
  }, async () => {
    const { pad, plan, noMail, told, makeDue } = await withoutMail()
    expect(await pad.announce(...plan, '--no-wait')).toMatchObject({ code: 0 })
    expect(await noMail('--no-wait')).toMatchObject({ code: 1 })
    expect(await told()).toEqual([])

    const release = await makeDue()
    expect(await noMail('--no-wait')).toMatchObject({ code: 1 })
    expect(await told()).toEqual([])

    await release()
    expect(await pad.announce(...plan, '--no-wait')).toMatchObject({ code: 0 })
    expect(pad.inboxes()).toHaveLength(10)
    const over = await noMail('--no-wait')
    expect(over).toMatchObject({ code: 0, stderr: 'Nobody is left to send it to.\n' })
    expect(await told()).toEqual([])
  })

  it('tells an operator whose service began again that the pre-flight failed when a wave was due', {
    tags: 'long',
  }, async () => {
    const { pad, plan, noMail, told, makeDue } = await withoutMail()
    expect(await pad.announce(...plan, '--no-wait')).toMatchObject({ code: 0 })
    const release = await makeDue()
    await release()
    expect(await noMail()).toMatchObject({ code: 1 })
    expect(await told()).toMatchObject([{ type: 'alarm.began', data: { why: 'unready' } }])
  })

  it('refuses plainly what is no plan', async () => {
    const pad = await launchPad(1)
    for (const [args, code, text] of [
      [['--waves', '500'], 2, '--waves needs --every'],
      [['--waves', '1%,10%', '--every', '2h'], 2, 'shares that rise to 100%'],
      [['--waves', '5', '--every', '2'], 2, 'a length of time of at most 60 days, such as 90m'],
      [['--waves', '5', '--every', '2h', '--first', '5'], 2, 'cannot be used with'],
      [['--every', '2h'], 2, '--every needs --waves.'],
      [['--stop-leaving', '1%'], 2, '--stop-leaving needs --waves.'],
      [['--go-on'], 2, '--go-on needs --waves.'],
      [['--no-wait'], 2, '--no-wait needs --waves.'],
    ] as const) {
      const answer = await pad.announce(...args)
      expect(answer.code).toBe(code)
      expect(answer.stderr).toContain(text)
    }
    expect(pad.inboxes()).toEqual([])
  })
})
