import { describe, expect, it } from 'vitest'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { answering, isSigned, startReceiver, webhookSecret } from '../../fixtures/receiver.ts'

const secret = { NOTIFY_SECRET: webhookSecret }

describe('notify', () => {
  it('sends one test to each place, and says in plain words what each answered', async () => {
    const [one, other] = [
      await startReceiver(),
      await startReceiver(() => answering(403, {}, 'invalid_token'), { path: '/TOP-SECRET' }),
    ]
    const pad = await launchPad(0)
    const { code, stdout } = await pad.run(['notify', '--test'], {
      ...secret,
      NOTIFY_URL: `${one.url} slack+${other.url}`,
      NOTIFY_MAIL: 'founder@example.com',
      MAIL_FROM: 'hello@example.org',
    })
    expect(stdout).toMatch(/^127\.0\.0\.1:\d+ +accepted +0$/m)
    expect(stdout).toMatch(/^Slack \(.*\) +not accepted: 403/m)
    expect(stdout).toMatch(/^NOTIFY_MAIL +accepted/m)
    expect(stdout).not.toMatch(/TOP-SECRET|founder@/)
    expect(code).toBe(3)
    expect([one.requests.length, other.requests.length]).toEqual([1, 1])
    expect(one.told()).toMatchObject([{ type: 'test' }])
    expect(one.requests.every((request) => isSigned(request))).toBe(true)
    expect((await pad.relay.messageTo('founder@example.com')).subject).toMatch(/: a test$/)
  })

  it('says what is missing', async () => {
    const { run } = await launchPad(0)
    const { code, stderr } = await run(['notify'])
    expect(stderr).toContain('NOTIFY_URL: is not set, and neither is NOTIFY_MAIL')
    expect(code).toBe(1)
  })
})
