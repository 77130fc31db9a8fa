import { describe, expect, it } from 'vitest'
import { mailCheckSettings, mailSettings } from '../../src/config/programs.ts'
import { readSettings } from '../../src/config/read.ts'
import { settings } from '../../src/config/settings.ts'

const SMTP_URL = 'smtp://localhost:2525'
const MAIL_FROM = 'Ada <ada@example.com>'
const PUBLIC_URL = 'https://example.com'
const RULE =
  'PUBLIC_URL: must be the https address of the page, where unsubscribe links lead; if they lead elsewhere, set UNSUBSCRIBE_URL'

describe('the settings of announce', () => {
  it('are a mail server, and where unsubscribe links lead: to the page, or where it is said', () => {
    expect(readSettings(mailSettings, { SMTP_URL, PUBLIC_URL: ` ${PUBLIC_URL}/ ` })).toEqual({
      settings: { smtpUrl: SMTP_URL, unsubscribeUrl: `${PUBLIC_URL}/unsubscribe` },
    })
    const UNSUBSCRIBE_URL = ' https://leave.example.com/me/ '
    expect(readSettings(mailSettings, { SMTP_URL, PUBLIC_URL, UNSUBSCRIBE_URL })).toEqual({
      settings: { smtpUrl: SMTP_URL, unsubscribeUrl: 'https://leave.example.com/me' },
    })
  })

  it('say in a line each what is missing or wrong, and repeat no secret', () => {
    const smtp = `must be ${settings.SMTP_URL.rule}`
    expect(readSettings(mailSettings, {})).toEqual({
      mistakes: [`SMTP_URL: is not set, ${smtp}`, RULE],
    })
    const wrong = { SMTP_URL: 'ada:secret', UNSUBSCRIBE_URL: 'http://leave.example.com/' }
    expect(readSettings(mailSettings, wrong)).toEqual({
      mistakes: [
        `SMTP_URL: is not valid, ${smtp}`,
        'UNSUBSCRIBE_URL: is "http://leave.example.com/", must be the https address of the unsubscribe page, such as https://example.com/unsubscribe',
      ],
    })
  })
})

describe('the settings of check-mail', () => {
  it('may be missing, since it says so itself', () => {
    expect(readSettings(mailCheckSettings, {})).toEqual({
      settings: { smtpUrl: undefined, mailFrom: undefined, unsubscribeUrl: undefined },
    })
    expect(readSettings(mailCheckSettings, { SMTP_URL, MAIL_FROM, PUBLIC_URL })).toEqual({
      settings: {
        smtpUrl: SMTP_URL,
        mailFrom: MAIL_FROM,
        unsubscribeUrl: `${PUBLIC_URL}/unsubscribe`,
      },
    })
  })

  it('may not be wrong', () => {
    expect(
      readSettings(mailCheckSettings, {
        SMTP_URL: 'x',
        MAIL_FROM: 'Ada',
        PUBLIC_URL: 'http://example.com',
      }),
    ).toEqual({
      mistakes: [
        expect.stringMatching(/^SMTP_URL: is not valid, must be like smtp:/),
        'MAIL_FROM: is "Ada", must be like Meridian <hello@example.com>',
        RULE,
      ],
    })
  })
})
