import { describe, expect, it } from 'vitest'
import product from '../../../product.config.ts'
import { type FactsFrom, privacyFacts } from '../../../src/cli/privacy/facts.ts'
import { privacyLanguages, privacyText } from '../../../src/cli/privacy/text.ts'
import { readBackupSettings } from '../../../src/config/backup-settings.ts'
import { readServerSettings } from '../../../src/config/server-settings.ts'
import { newUid, sessionCookie } from '../../../src/server/http/session-cookie.ts'
import { endsAt } from '../../../src/sign-up/confirmation-lifetime.ts'
import { nothingShown } from '../../../src/store/pending.ts'
import { operator } from '../../fixtures/operator.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const confirming = {
  CONFIRM: 'on',
  PUBLIC_URL: 'https://example.com',
  SMTP_URL: 'smtp://somebody:secret-word@mail.example.com:587',
  MAIL_FROM: 'hello@example.com',
}

/** The facts with these settings, read as the server reads them. */
function factsOf(env: Record<string, string>, more: Partial<FactsFrom> = {}) {
  const [server, backup] = [readServerSettings(env, '/tmp'), readBackupSettings(env, '/tmp')]
  if ('mistakes' in server) throw new Error(server.mistakes.join('\n'))
  if ('mistakes' in backup) throw new Error(backup.mistakes.join('\n'))
  const given = { product, server: server.settings, backup: backup.settings, env }
  return privacyFacts({ ...given, ...more })
}

const textOf = (env: Record<string, string>, more?: Partial<FactsFrom>) =>
  privacyLanguages.map((language) => privacyText(factsOf(env, more), language)).join('\n')

const keys = { LINK_KEY: 'x'.repeat(43), SESSION_KEY: 'y'.repeat(43) }

describe('the data-protection text', () => {
  it('gives the lifetimes that the code has', () => {
    const facts = factsOf(confirming)
    const cookie = sessionCookie('key', true).write(newUid())
    expect(cookie).toContain(`Max-Age=${facts.sessionHours * 3600};`)
    const askedAt = new Date('2026-01-01T00:00:00Z')
    const end = endsAt({ email: 'a@example.com', askedAt, shown: nothingShown, letters: 0 })
    expect((end.getTime() - askedAt.getTime()) / 86_400_000).toBe(facts.requestDays)
    const text = textOf(confirming)
    expect(text).toContain(`lasts for ${facts.sessionHours} hours`)
    expect(text).toContain(`gilt ${facts.sessionHours} Stunden`)
    expect(text).toContain(`erased after ${facts.requestDays} days`)
    expect(text).toContain(`nach ${facts.requestDays} Tagen gelöscht`)
  })

  it.each([
    ['CONFIRM', {}, confirming, 'Als Nachweis Ihrer Einwilligung'],
    ['CONFIRM', {}, confirming, 'It gets no e-mail before its owner confirms it, except for'],
    ['CONFIRM', confirming, {}, 'It gets no e-mail until a person releases it,'],
    [
      'CONSENT_IP',
      confirming,
      { ...confirming, CONSENT_IP: 'on' },
      'The proof has the IP addresses',
    ],
    [
      'REFERRALS',
      confirming,
      { ...confirming, REFERRALS: 'on' },
      'Nach der Bestätigung bekommen Sie einen eigenen Link',
    ],
    ['VISITS', {}, { VISITS: 'off' }, 'Visits are not counted'],
    ['TRUST_PROXY', {}, { TRUST_PROXY: 'loopback' }, 'Vor dem Server steht ein Proxy'],
    ['STORE', {}, { STORE: 'firestore', ...keys }, 'Google Cloud Firestore'],
    ['SMTP_URL', {}, { SMTP_URL: confirming.SMTP_URL }, 'the mail server mail.example.com'],
    ['BACKUP_KEEP', {}, { BACKUP_TO: '/copies', BACKUP_KEEP: '7,4,12' }, 'by the rule "7,4,12"'],
    [
      'BACKUP_PASSPHRASE',
      { BACKUP_TO: '/copies' },
      { BACKUP_TO: '/copies', BACKUP_PASSPHRASE: 'a long pass phrase' },
      'They are encrypted',
    ],
    [
      'NOTIFY_ADDRESSES',
      { NOTIFY_URL: 'slack+https://hooks.example.com/secret-path' },
      { NOTIFY_URL: 'slack+https://hooks.example.com/secret-path', NOTIFY_ADDRESSES: 'on' },
      'with their addresses at hooks.example.com',
    ],
    [
      'EVENTS_URL',
      {},
      {
        EVENTS_URL: 'https://crm.example.com/secret-path',
        EVENTS: 'subscribed,forgotten',
        EVENTS_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      },
      'Unsere eigenen Systeme bei crm.example.com',
    ],
    [
      'EMBED_ORIGINS',
      { PUBLIC_URL: 'https://example.com' },
      { PUBLIC_URL: 'https://example.com', EMBED_ORIGINS: 'https://blog.example.com' },
      'The form on blog.example.com sends your address to us',
    ],
    [
      'RATE_LIMIT',
      { RATE_LIMIT: '0', RATE_LIMIT_DAY: '0' },
      { RATE_LIMIT: '100' },
      'counts sign-ups by IP address',
    ],
  ] as const)('changes with %s', (_setting, before, after, sentence) => {
    expect(textOf(before)).not.toContain(sentence)
    const text = textOf(after)
    expect(text).toContain(sentence)
    expect(text).not.toMatch(/secret-word|secret-path|somebody/)
  })

  it('says when the list is erased, as the product says it', () => {
    expect(textOf({})).toContain('until you ask us to erase it')
    const text = textOf({}, { product: { ...product, retain: '6 months after opening' } })
    expect(text).toContain('We erase the whole list 6 months after we open.')
    expect(text).toContain('Wir löschen die ganze Liste 6 Monate nach der Öffnung.')
    const year = textOf({}, { product: { ...product, retain: '1 year after opening' } })
    expect(year).toContain('1 year after we open')
    expect(year).toContain('1 Jahr nach')
  })

  it('says what a letter may ask, and what is kept of the answer', () => {
    expect(textOf({})).toContain('If you press its button, we note the time.')
    expect(textOf({})).toContain('speichern wir, wann Sie das getan haben.')
  })

  it('says what the page asks', () => {
    expect(textOf({})).not.toMatch(/the page asks|fragt die Seite/)
    const question = { ask: 'Where do you live?', kind: 'postcode' } as const
    const text = textOf({}, { product: { ...product, question } })
    expect(text).toContain('the page asks: "Where do you live?"')
    expect(text).toContain('fragt die Seite: „Where do you live?“')
  })

  it('has the same parts in both languages, and says that it is a draft', () => {
    const [en = '', de = ''] = privacyLanguages.map((one) => privacyText(factsOf(confirming), one))
    const shape = (text: string) => text.split('\n\n').map((part) => /^#*/.exec(part)?.[0])
    expect(shape(de)).toEqual(shape(en))
    expect(en).toContain('no legal advice')
    expect(de).toContain('keine Rechtsberatung')
    expect(en + de).not.toMatch(/undefined|null|NaN/)
  })

  it('comes from the command, before there is a list, and in one of two languages', async () => {
    const env = { DATA_DIR: tempDir() }
    const english = await operator(['privacy'], { env })
    expect(english).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^# Data protection: /),
    })
    expect(english.stderr).toContain('no legal advice')
    expect((await operator(['privacy', '--language', 'de'], { env })).stdout).toMatch(
      /^# Datenschutz: /,
    )
    const french = await operator(['privacy', '--language', 'fr'], { env })
    expect(french.code).not.toBe(0)
    expect(french.stderr).toContain('en, de')
    const wrong = await operator(['privacy'], { env: { ...env, VISITS: 'maybe' } })
    expect(wrong.stderr).toContain('VISITS: ')
  })
})
