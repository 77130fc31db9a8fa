/** @module-tag thorough */
import { describe, expect, it } from 'vitest'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { undocumentedIn } from '../../fixtures/report-fields.ts'

const MAIL_FROM = 'Meridian <team@example.org>'

describe('check-mail', () => {
  it('finds everything right, and sends nothing', async () => {
    const pad = await launchPad(0)
    await pad.store.list.add('ada@example.com')
    const args = ['check-mail', '--dkim-selector', 'k1', '--dns-server', pad.dns.server]
    const { code, stdout } = await pad.run(args, { MAIL_FROM })
    expect(stdout).not.toContain('PROBLEM')
    const told = await pad.run([...args, '--json'], { MAIL_FROM })
    expect(undocumentedIn('check-mail', JSON.parse(told.stdout))).toEqual([])
    expect(stdout.match(/^(Mail server|Unsubscribing|SPF|DKIM|DMARC): /gm)).toHaveLength(5)
    expect(code).toBe(0)
    expect(pad.inboxes()).toEqual([])
  })

  it('says what is missing, with the records to set, long before there is a letter', async () => {
    const pad = await launchPad(0, { records: {} })
    await pad.store.list.add('ada@example.com')
    const settings = { MAIL_FROM, SMTP_URL: '', UNSUBSCRIBE_URL: '' }
    const args = ['check-mail', '--dkim-selector', 'k1', '--dns-server', pad.dns.server]
    const { code, stdout } = await pad.run(args, settings)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^PROBLEM: SMTP_URL: is not set$/m)
    expect(stdout).toMatch(/^PROBLEM: PUBLIC_URL: is not set$/m)
    expect(stdout).toMatch(
      /^PROBLEM: DMARC: _dmarc\.example\.org has no record; set one .*: TXT v=DMARC1; p=none$/m,
    )
    expect(stdout).toMatch(/^PROBLEM: DKIM: k1\._domainkey\.example\.org .*: TXT v=DKIM1/m)
    const told = await pad.run([...args, '--json'], settings)
    expect(undocumentedIn('check-mail', JSON.parse(told.stdout))).toEqual([])
  })
})
