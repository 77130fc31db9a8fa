/** @module-tag thorough */

import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settings } from '../../../src/config/settings.ts'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { startLimitedRelay } from '../../fixtures/limited-relay.ts'
import type { Behaviour } from '../../fixtures/relay.ts'
import { ended } from '../../fixtures/run.ts'
import { tallyOf } from '../../fixtures/tally.ts'
import { people, person } from '../../store/contracts/people.ts'

const emails = (count: number) => people(count).map(({ email }) => email)

describe('the command announce', () => {
  it('goes from dry run through a test and a stage to everyone, and prints a true balance', async () => {
    const pad = await launchPad(40, {
      behaviour: (to) => (to === person(3).email ? 'refuse' : 'accept'),
    })
    const dry = await pad.announce('--dry-run', '--dkim-selector', 'k1')
    expect(dry).toMatchObject({ code: 0, stdout: `${emails(40).join('\n')}\n` })
    expect(dry.stderr).not.toMatch(/PROBLEM|LOOK/)
    expect(dry.stderr).toMatch(/^Time: 40 to send( at|\.) .* a second.* \d+ (s|min)\b/m)
    expect(dry.stderr).toMatch(/^To send +40 {2}of 40 people, 100 %\nNothing was sent\.$/m)
    expect(await pad.store.ledger.announcements()).toEqual([])

    const test = await pad.announce('--to', 'me@example.com')
    expect(test).toMatchObject({ code: 0, stdout: '' })
    expect(pad.inboxes()).toEqual(['me@example.com'])
    expect(await pad.store.ledger.announcements()).toEqual([])

    const stage = await pad.announce('--first', '5%')
    expect(stage.code).toBe(0)
    expect(stage.stdout).toContain('The balance holds: 40 = 2 sent + 38 queued\n')
    expect(pad.inboxes().slice(1).toSorted()).toEqual(emails(2))
    expect((await pad.announce('--dry-run')).stdout).toBe(`${emails(40).slice(2).join('\n')}\n`)
    expect(await pad.announce('--dry-run', '--no-list')).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(
        /^To send +38 {2}of 40 people, 95 %\nSent before +2\nNothing was sent\.$/m,
      ),
    })

    const rest = await pad.announce()
    expect(rest.code).toBe(3)
    expect(rest.stdout).toContain('The balance holds: 40 = 39 sent + 1 failed\n')
    expect(rest.stdout).toMatch(/^person3@example.com +failed +550 5\.1\.1 /m)
    expect(new Set(pad.inboxes()).size).toBe(pad.inboxes().length)
    expect(pad.inboxes()).toHaveLength(1 + 39)
  })

  it('speaks JSON to programs, and leaves the queue out of it', async () => {
    const pad = await launchPad(5, {
      behaviour: (to) => (to === person(1).email ? 'refuse' : 'accept'),
    })
    const { stdout } = await pad.announce('--first', '2', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ eligible: 5, sent: 1, failed: 1, queued: 3 },
      notes: expect.arrayContaining([{ code: 'done' }, { code: 'balance', holds: true }]),
      notSent: [{ email: person(1).email, status: 'failed' }],
    })
  })

  it('retries what is asked, and only after something was begun', async () => {
    let does: Behaviour = 'drop-after-dot'
    const unsure = person(2).email
    const pad = await launchPad(4, { behaviour: (to) => (to === unsure ? does : 'accept') })
    const early = await pad.announce('--retry', 'failed')
    expect(early).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to send again'),
    })
    expect((await pad.announce('--also-who-got', 'lunch')).stderr).toBe(
      'There is no announcement "lunch".\n',
    )
    expect(await pad.announce()).toMatchObject({ code: 3 })
    does = 'accept'
    expect((await pad.announce('--dry-run', '--retry', 'uncertain')).stdout).toBe(`${unsure}\n`)
    const again = await pad.announce('--retry', 'uncertain')
    expect(again.code).toBe(0)
    expect(again.stdout).toContain('4 = 4 sent\n')
  })
})

describe('before anybody is mailed, announce', () => {
  it('names every setting that is missing in one line, and writes nothing', async () => {
    const pad = await launchPad(0)
    const empty = { DATA_DIR: join(pad.dataDir, 'none'), SMTP_URL: '', UNSUBSCRIBE_URL: '' }
    expect(await pad.run(['announce', pad.launch], empty)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `SMTP_URL: is not set, must be ${settings.SMTP_URL.rule}\n` +
        'PUBLIC_URL: must be the https address of the page, where unsubscribe links lead; if they lead elsewhere, set UNSUBSCRIBE_URL\n',
    })
    // What is wrong in the command is said before the mail server is asked.
    for (const [args, code, stderr] of [
      [[pad.launch, '--to', 'nobody'], 2, '"nobody" is not an e-mail address.\n'],
      [['nowhere.md'], 1, 'There is no file nowhere.md\n'],
    ] as const)
      expect(await pad.run(['announce', ...args])).toEqual({ code, stdout: '', stderr })
    const secret = { SMTP_URL: 'http://user:secret@x', LINK_KEY: 'short' }
    const { stderr } = await pad.run(['announce', pad.launch], secret)
    expect(stderr).not.toContain('secret')
    const key = await pad.run(['announce', pad.launch], { LINK_KEY: 'short' })
    expect(key).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^LINK_KEY: is not valid, .*\n$/),
    })
    expect(existsSync(empty.DATA_DIR)).toBe(false)
  })

  it('names every mistake in the letter', async () => {
    const pad = await launchPad(0)
    writeFileSync(pad.launch, '---\ncolour: red\n---\n{{name}}')
    const { code, stderr } = await pad.announce()
    expect(code).toBe(1)
    expect(stderr.trim().split('\n').toSorted()).toEqual(
      [
        'colour: is not one of subject, preview, from, reply-to, invitation-valid',
        'from: is missing; name a sender here or in MAIL_FROM',
        'subject: is missing',
        '{{name}} is not known; there are {{unsubscribe}}, {{invitation}} and {{first name|there}}',
      ].map((mistake) => `${pad.launch}: ${mistake}`),
    )
    const odd = await pad.run(['announce', join(pad.dataDir, 'We are live!.md')])
    expect(odd).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('its name names the announcement'),
    })
    const none = await pad.run(['announce', join(pad.dataDir, 'none.md')])
    expect(none).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no file .*none\.md\n$/),
    })
  })

  it('stops at records that do not vouch for the sender, unless it is forced or a test to oneself', async () => {
    const pad = await launchPad(2, { records: {} })
    const stopped = await pad.announce()
    expect(stopped.code).toBe(1)
    expect(stopped.stderr).toMatch(/^PROBLEM: SPF: .*\nPROBLEM: DMARC: /m)
    expect(stopped.stderr).toMatch(/^PROBLEM: No letter leaves .* --force spf,dmarc$/m)
    expect(pad.inboxes()).toEqual([])
    expect(await pad.store.ledger.announcements()).toEqual([])
    const dry = await pad.announce('--dry-run')
    expect(dry.code).toBe(1)
    expect(dry.stderr).toContain('No letter leaves until these problems are solved.')
    expect((await pad.announce('--dry-run', '--force', 'dmarc,SPF')).stderr).toContain(
      'Letters leave in spite of these problems.',
    )
    for (const part of ['spf', 'dkim,dmarc', 'page-not-yet', 'all'])
      expect((await pad.announce('--force', part)).code, part).toBe(1)
    expect(await pad.store.ledger.announcements()).toEqual([])
    expect((await pad.announce('--test', '--dry-run')).stderr).toMatch(/\nNothing was sent\.\n$/)
    expect((await pad.announce('--test')).stderr).toMatch(/^SPF: .*\nDMARC: /m)
    expect(pad.inboxes()).toEqual(['team@example.org'])
    expect((await pad.announce('--first', '1', '--force', 'spf,dmarc')).code).toBe(0)
    expect(await pad.announce('--first', '1')).toMatchObject({
      code: 0,
      stderr: 'This stage is done. Without --first, the same command goes on with 1 more.\n',
    })
    expect((await pad.announce('--force', 'spf,dmarc')).code).toBe(0)
    expect(pad.inboxes()).toHaveLength(1 + 2)
    const second = join(pad.dataDir, 'second.md')
    cpSync(pad.launch, second)
    const nobody = await pad.run(['announce', second, '--dns-server', pad.dns.server])
    expect(nobody.stderr).toMatch(
      /^Other letter: "launch".*\nLeft out: 2 got another announcement\nNobody is left to send it to\.\n$/,
    )
  })

  it('says how to go on where the limit of a day is reached', async () => {
    const pad = await launchPad(9)
    const full = '550 5.4.5 Daily user sending limit exceeded.'
    let most = 3
    const relay = await startLimitedRelay((command, { inAll }) =>
      command === '.' && inAll >= most ? full : undefined,
    )
    const announce = (...args: string[]) =>
      pad.run(['announce', pad.launch, '--dns-server', pad.dns.server, ...args], {
        SMTP_URL: relay.url,
      })
    const { code, stdout } = await announce()
    expect(code).toBe(1)
    expect(stdout).toContain(full)
    expect(stdout).toContain('--rate 400/d')
    expect(await tallyOf(pad.store, 'launch')).toMatchObject({ sent: 3, queued: 6, failed: 0 })
    most = 9
    expect((await announce('--go-on')).code).toBe(0)
    expect(relay.taken.toSorted()).toEqual(emails(9).toSorted())
  })

  it('stops where nobody could unsubscribe or no mail server answers, forced or not', async () => {
    const pad = await launchPad(2)
    await pad.app.close()
    const noWayOut = await pad.announce('--force', 'unsubscribing')
    expect(noWayOut).toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') })
    expect(noWayOut.stderr).toContain('No letter leaves until these problems are solved.')
    await pad.relay.close()
    const noServer = await pad.announce('--force', 'mail-server,unsubscribing')
    expect(noServer.stderr).toMatch(/PROBLEM: Mail server: /)
    expect(pad.inboxes()).toEqual([])
  })

  it('notices another letter under a name that has been used', async () => {
    const pad = await launchPad(2)
    await pad.announce('--first', '1')
    writeFileSync(pad.launch, readFileSync(pad.launch, 'utf8').replace('Come in', 'Come again'))
    const { code, stderr } = await pad.announce()
    expect(code).toBe(1)
    expect(stderr).toContain('is not as it was when 1 subscriber got it')
    expect((await pad.announce('--force', 'letter-changed')).code).toBe(0)
  })

  it('shows the letter as one page of HTML, without any setting', async () => {
    const pad = await launchPad(0)
    const none = { SMTP_URL: '', UNSUBSCRIBE_URL: '', DATA_DIR: '/nowhere' }
    writeFileSync(pad.launch, readFileSync(pad.launch, 'utf8').replace(/^from: .*\n/m, ''))
    const { code, stdout, stderr } = await pad.run(['announce', pad.launch, '--preview'], none)
    // In no other language.
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^<!doctype html>[\s\S]*Come in[\s\S]*<\/html>\n$/)
    expect(stdout).toContain('src="data:image/png;base64,')
    expect(stdout).not.toMatch(/src="(cid|http)/)
    const sent = await pad.run(['announce', pad.launch, '--language', 'ar'], none)
    expect(sent).toMatchObject({ code: 2, stderr: '--language needs --preview.\n' })
  })
})

describe('a run that ends early', () => {
  it('finishes what is under way at Ctrl-C, balances, and goes on where it stopped', async () => {
    const pad = await launchPad(60, {
      behaviour: (to) => {
        if (to === person(10).email) program.signal('SIGINT')
        return 'accept'
      },
    })
    // A part of them: the command without that goes on with all.
    const program = pad.startAnnounce(['--rate', '50', '--first', '59'])
    const stopped = await ended(program)
    expect(stopped.code).toBe(130)
    expect(stopped.stdout).toMatch(/^LOOK: Stopped, with everything under way finished\.$/m)
    expect(stopped.stdout).toMatch(/^Everyone else +\S+ announce \S+launch\.md$/m)
    expect(stopped.stdout).toMatch(/The balance holds: 60 = \d+ sent \+ \d+ queued\n/)
    expect(pad.inboxes().length).toBeLessThan(50)
    expect((await pad.announce()).stdout).toContain('The balance holds: 60 = 60 sent')
    expect(pad.inboxes().toSorted()).toEqual(emails(60).toSorted())
  })

  it('is not run into by a second one, and is gone the moment it is dead', async () => {
    const pad = await launchPad(20, {
      behaviour: (to) => (to === person(5).email ? 'stall-after-dot' : 'accept'),
    })
    const program = pad.startAnnounce()
    await expect.poll(() => pad.relay.read.length, { timeout: 30_000 }).toBe(20)
    const second = await pad.announce()
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(`is being sent on ${hostname()}, by process ${program.pid}.`)
    await program.end('SIGKILL')
    const third = await pad.announce()
    expect(third.stderr).toContain('may have left: uncertain, not sent again.')
    expect(third.stdout).toMatch(/^person5@example\.com +uncertain/m)
    expect(pad.relay.read.toSorted()).toEqual(emails(20).toSorted())
  })
})
