/** @module-tag thorough */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const MAIL_FROM = 'Meridian <team@example.org>'

describe('check-mail', () => {
  it('finds everything right, and sends a test that names its own sender', async () => {
    const pad = await launchPad(0)
    await pad.store.list.add('ada@example.com')
    const args = ['check-mail', '--dkim-selector', 'k1', '--dns-server', pad.dns.server]
    const { code, stdout, stderr } = await pad.run([...args, '--to', 'me@example.com'], {
      MAIL_FROM,
    })
    expect(stdout).not.toContain('PROBLEM')
    expect(stdout.match(/^ok /gm)).toHaveLength(5)
    expect(code).toBe(0)
    expect(stderr).toContain('A test is on its way to me@example.com')
    expect(pad.inboxes()).toEqual(['me@example.com'])
  })

  it('says what is missing, with the records to set, long before there is a letter', async () => {
    const pad = await launchPad(0, { records: {} })
    await pad.store.list.add('ada@example.com')
    const settings = { MAIL_FROM, SMTP_URL: '', UNSUBSCRIBE_URL: '' }
    const args = ['check-mail', '--dkim-selector', 'k1', '--dns-server', pad.dns.server]
    const { code, stdout, stderr } = await pad.run(args, settings)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^PROBLEM +SMTP_URL +is not set$/m)
    expect(stdout).toMatch(/^PROBLEM +PUBLIC_URL +is not set$/m)
    expect(stdout).toMatch(/^PROBLEM +DMARC +_dmarc\.example\.org has no record$/m)
    expect(stderr).toMatch(/^_dmarc\.example\.org +TXT +v=DMARC1; p=none$/m)
    expect(stderr).toMatch(/^k1\._domainkey\.example\.org +TXT +v=DKIM1/m)
    const test = await pad.run([...args, '--to', 'me@example.com'], settings)
    expect(test.stderr).toContain('To send a test, set SMTP_URL')
    expect(pad.inboxes()).toEqual([])
  })

  it('says in one sentence whether a letter that arrived came as ours', async () => {
    const pad = await launchPad(0)
    const good = 'dkim=pass header.d=example.org; spf=pass smtp.mailfrom=example.org; dmarc=pass'
    const found = await pad.run(['check-mail', '--received', letterWith(`mx.example.net; ${good}`)])
    expect(found).toMatchObject({ code: 0 })
    expect(found.stderr).toContain('mx.example.net takes this letter as one of example.org.')
    const forged = letterWith('mx.example.net; dkim=none; spf=fail', `mx.forged.example; ${good}`)
    const other = await pad.run(['check-mail', '--received', forged])
    expect(other).toMatchObject({ code: 1 })
    expect(other.stderr).toContain('cannot tell that this letter is from example.org')
  })

  it('says so where a mailbox found nothing, and where there is no letter', async () => {
    const pad = await launchPad(0)
    const silent = await pad.run(['check-mail', '--received', letterWith()])
    expect(silent.code).toBe(1)
    expect(silent.stderr).toContain('no header says what a mailbox found')
    const none = await pad.run(['check-mail', '--received', '/nowhere/letter.eml'])
    expect(none.code).toBe(1)
    expect(none.stderr).toContain('cannot be read')
  })
})

function letterWith(...results: string[]): string {
  const file = join(tempDir(), 'letter.eml')
  const fields = results.map((one) => `Authentication-Results: ${one}\r\n`).join('')
  writeFileSync(
    file,
    `${fields}From: Meridian <team@example.org>\r\nSubject: A test\r\n\r\nHello\r\n`,
  )
  return file
}
