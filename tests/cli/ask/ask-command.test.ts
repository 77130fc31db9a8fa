/** @module-tag thorough */

import { describe, expect, it } from 'vitest'
import { answer } from '../../fixtures/confirming.ts'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { people, person } from '../../store/contracts/people.ts'

const emails = (count: number) => people(count).map(({ email }) => email)

async function askPad(count: number, options: Parameters<typeof launchPad>[1] = {}) {
  const pad = await launchPad(count, options)
  const env = { PUBLIC_URL: pad.url, MAIL_FROM: 'The team <team@example.org>' }
  const args = ['ask', '--rate', '1000', '--dns-server', pad.dns.server]
  return {
    ...pad,
    env,
    ask: (...more: string[]) => pad.run([...args, ...more], env),
  }
}

describe('the command ask', () => {
  it('goes from dry run through a test and a stage to everyone, and prints a true balance', async () => {
    const pad = await askPad(40, {
      behaviour: (to) => (to === person(3).email ? 'refuse' : 'accept'),
    })
    const dry = await pad.ask('--dry-run', '--dkim-selector', 'k1')
    const whole = await pad.ask('--dry-run', '--all', '--no-list')
    expect(whole.stderr).toMatch(/^Confirming: http:\/\/127.*\/confirm works$/m)
    expect(dry).toMatchObject({ code: 0, stdout: `${emails(40).join('\n')}\n` })
    expect(dry.stderr).not.toContain('PROBLEM')
    expect(dry.stderr).toMatch(/^To send +40 {2}of 40 people, 100 %\nNothing was sent\.$/m)
    expect(await pad.store.ledger.announcements()).toEqual([])

    expect(await pad.ask('--to', 'me@example.com')).toMatchObject({ code: 0, stdout: '' })
    expect(pad.inboxes()).toEqual(['me@example.com'])

    const stage = await pad.ask('--first', '5%')
    expect(stage.code).toBe(0)
    expect(stage.stdout).toContain('The balance holds: 40 = 2 sent + 38 queued\n')
    expect(stage.stdout).toContain('2  0 confirmed, 0 said no, 2 have not answered\n')
    expect(pad.inboxes().slice(1).toSorted()).toEqual(emails(2))

    const { text = '' } = await pad.relay.messageTo(person(1).email)
    const [link = ''] = /\/confirm\/[\w-]+/.exec(text) ?? []
    expect((await answer(pad.app, link, { answer: 'yes' })).page).toBe('done')
    const rest = await pad.ask()
    expect(rest.code).toBe(3)
    expect(rest.stdout).toContain('The balance holds: 40 = 39 sent + 1 failed\n')
    expect(rest.stdout).toContain('40  1 confirmed, 0 said no, 38 have not answered; 1 failed')
    expect(pad.inboxes()).toHaveLength(1 + 39)
    expect(new Set(pad.inboxes()).size).toBe(40)
    const told = await pad.run(['status'], pad.env)
    expect(told.stdout).toMatch(/^From before CONFIRM=on +40 +1 confirmed/m)
    expect(told.stdout).toMatch(/^Announcement: none yet$/m)
    await pad.store.list.add('late@example.com')
    const { stdout } = await pad.ask('--json')
    const { listed, notes } = JSON.parse(stdout)
    expect(notes).toContainEqual({ code: 'newcomers', command: 'ask' })
    expect(listed).toEqual({
      asked: 39,
      confirmed: 1,
      saidNo: 0,
      unanswered: 38,
      failed: 1,
    })
  })

  it('sends nothing where nobody could answer, or another letter has its name', async () => {
    const pad = await askPad(2)
    const key = 'another key than that of the server, and as long'
    const { code, stderr } = await pad.run(
      ['ask', '--dns-server', pad.dns.server, '--force', 'confirming'],
      {
        ...pad.env,
        LINK_KEY: key,
      },
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /has another LINK_KEY[\s\S]*\nPROBLEM: No letter leaves until these problems are solved\.\n$/,
    )
    expect(pad.inboxes()).toEqual([])
    const { stderr: named } = await pad.run(['announce', 'ask.md'], pad.env)
    expect(named).toMatch(/^ask\.md: its name names the announcement: .* "ask" .* are taken/)
  })

  it('shows the letter without a mail server being asked', async () => {
    const pad = await askPad(0)
    const { code, stdout } = await pad.ask('--preview')
    expect(code).toBe(0)
    expect(stdout).toContain('the address stays on the list')
    expect(pad.relay.connections()).toBe(0)
  })
})
