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

  it('fails where nobody accepted the test, and gives JSON', async () => {
    const receiver = await startReceiver(() => answering(500))
    const pad = await launchPad(0)
    const { code, stdout } = await pad.run(['notify', '--test', '--json'], {
      ...secret,
      NOTIFY_URL: receiver.url,
    })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      places: [{ test: 'not accepted: 500', waiting: 0 }],
    })
  })

  it('shows how each place stands, and sends nothing', async () => {
    const receiver = await startReceiver()
    const { run } = await launchPad(0)
    const { code, stdout } = await run(['notify'], { ...secret, NOTIFY_URL: receiver.url })
    expect(stdout).toMatch(/^127\.0\.0\.1:\d+ +0$/m)
    expect(code).toBe(0)
    expect(receiver.requests).toEqual([])
  })

  it('brings a place back that was gone, once a test arrives there', async () => {
    const receiver = await startReceiver()
    const pad = await launchPad(0)
    const env = { ...secret, NOTIFY_URL: receiver.url }
    const { keyedHash } = await import('../../../src/keys/address-id.ts')
    const { keptLinkKey } = await import('../../../src/keys/link-key.ts')
    const name = `webhook:${keyedHash(keptLinkKey(pad.dataDir), 'notice-place')(receiver.url)}`
    await pad.store.notices.open([name], new Date())
    await pad.store.notices.noteEvent({ key: 'k', type: 'test', at: new Date(), data: {} })
    const taken = await pad.store.notices.claim(name, 1000, new Date())
    if (!taken) throw new Error('nothing waits')
    const gone = { kind: 'failed', failure: '410', isGone: true } as const
    await pad.store.notices.settle(name, taken, gone, new Date())
    expect((await pad.run(['notify'], env)).stdout).toMatch(/Gone since\n.* 410 /)
    expect((await pad.run(['notify', '--test'], env)).stdout).toMatch(/ accepted +1$/m)
    const found = await pad.store.notices.place(name)
    expect(found).not.toHaveProperty('heldAt')
    // What waits is tried at once.
    expect(found?.dueAt).toBeLessThanOrEqual(Date.now())
  })

  it('says what is missing', async () => {
    const { run } = await launchPad(0)
    const { code, stderr } = await run(['notify'])
    expect(stderr).toContain('NOTIFY_URL: is not set, and neither is NOTIFY_MAIL')
    expect(code).toBe(1)
  })
})
