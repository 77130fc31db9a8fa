import { describe, expect, it } from 'vitest'
import { serverSettings } from '../../src/config/programs.ts'
import { readSettings } from '../../src/config/read.ts'
import { webhookSecret } from '../fixtures/receiver.ts'

const slack = 'https://hooks.slack.com/services/T0/B0/secret-of-slack'
const sender = { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'Meridian <hello@example.com>' }

const read = (env: Record<string, string>) => readSettings(serverSettings, env)

function settings(env: Record<string, string>) {
  const found = read(env)
  if ('mistakes' in found) throw new Error(found.mistakes.join('\n'))
  return found.settings.notify
}

function mistakes(env: Record<string, string>): string {
  const found = read(env)
  return 'mistakes' in found ? found.mistakes.join('\n') : ''
}

describe('where an operator is told', () => {
  it('is nowhere unless they say so', () => {
    expect(settings({})).toBeNull()
    expect(settings({ NOTIFY_URL: ' ' })).toBeNull()
  })

  it('has a default for the rest', () => {
    expect(settings({ NOTIFY_URL: slack })).toEqual({
      hooks: [{ kind: 'slack', url: slack }],
      secrets: [],
      mail: undefined,
      dayEndsAt: { hour: 9, minute: 0 },
    })
  })

  it.for([
    [slack, 'slack', slack],
    ['https://discord.com/api/webhooks/1/x', 'discord', 'https://discord.com/api/webhooks/1/x'],
    ['https://ptb.discord.com/api/webhooks/1/x', 'discord', undefined],
    ['https://discord.com/api/webhooks/1/x/slack', 'slack', undefined],
    ['https://example.com/hook', 'webhook', undefined],
    ['http://127.0.0.1:8080/hook', 'webhook', undefined],
    ['http://[::1]:8080/hook', 'webhook', undefined],
    ['slack+https://chat.example.com/hooks/1', 'slack', 'https://chat.example.com/hooks/1'],
    ['discord+http://localhost:1/x', 'discord', 'http://localhost:1/x'],
    ['https://hooks.slack.com.example.com/x', 'webhook', undefined],
  ] as const)('at %s reads the format %s', ([given, kind, url]) => {
    const found = settings({ NOTIFY_URL: given, NOTIFY_SECRET: webhookSecret })
    expect(found?.hooks).toEqual([{ kind, url: url ?? given }])
  })

  it('may be several, each once', () => {
    const { hooks } = settings({ NOTIFY_URL: `${slack}  discord+${slack} ${slack}` }) ?? {}
    expect(hooks?.map(({ kind }) => kind)).toEqual(['slack', 'discord'])
  })

  it('may be a mailbox, with the sender of the letters', () => {
    expect(settings({ ...sender, NOTIFY_MAIL: 'You@Example.com' })?.mail).toEqual({
      to: 'you@example.com',
      smtpUrl: sender.SMTP_URL,
      mailFrom: sender.MAIL_FROM,
    })
  })

  it('takes a time', () => {
    expect(settings({ NOTIFY_URL: slack, NOTIFY_AT: '23:05' })).toMatchObject({
      dayEndsAt: { hour: 23, minute: 5 },
    })
    expect(settings({ NOTIFY_URL: slack, NOTIFY_AT: 'off' })?.dayEndsAt).toBeUndefined()
  })
})

describe('a mistake in it', () => {
  it.for([
    ['NOTIFY_URL', 'http://example.com/secret-path'],
    ['NOTIFY_URL', 'https://user:secret@example.com/'],
    ['NOTIFY_URL', 'https://a.example/1 https://a.example/2 not-a-secret'],
    ['NOTIFY_URL', Array.from({ length: 6 }, (_, i) => `https://a.example/${i}`).join(' ')],
    ['NOTIFY_URL', 'teams+https://example.com/secret'],
    ['NOTIFY_SECRET', 'whsec_secret'],
    ['NOTIFY_MAIL', 'a@example.com, secret@example.com'],
    ['NOTIFY_AT', '24:00'],
  ])('%s=%s is said, and no secret is repeated', ([name = '', value = '']) => {
    const usual = { NOTIFY_URL: 'https://example.com/', NOTIFY_SECRET: webhookSecret, ...sender }
    const said = mistakes({ ...usual, [name]: value })
    expect(said).toContain(`${name}: is `)
    expect(said).not.toContain('secret-path')
    if (name !== 'NOTIFY_AT') expect(said).not.toContain(value)
  })

  it('is a receiver without a secret to sign with', () => {
    expect(mistakes({ NOTIFY_URL: 'https://example.com/' })).toMatch(/^NOTIFY_SECRET: is not set/)
    expect(mistakes({ NOTIFY_URL: slack })).toBe('')
    // Of what is no URL, nobody knows what it names.
    expect(mistakes({ NOTIFY_URL: 'none' })).toMatch(/^NOTIFY_URL: is not valid, must be [^\n]+$/)
  })

  it('is a mailbox without a sender', () => {
    for (const NOTIFY_MAIL of ['you@example.com', 'nobody'])
      expect(mistakes({ NOTIFY_MAIL })).toMatch(/SMTP_URL.*\n.*MAIL_FROM/)
  })

  it('is a setting that nobody would follow', () => {
    expect(mistakes({ NOTIFY_AT: '10:00' })).toContain('NOTIFY_AT: is set, but neither NOTIFY_URL')
  })
})
