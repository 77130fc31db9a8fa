import { describe, expect, it } from 'vitest'
import product from '../../product.config.ts'
import { checkTime, type SpeedOptions } from '../../src/announcement/sending/speed.ts'
import { look as lookBy } from '../../src/checks/check.ts'
import { beforeLetters, type MailParts, mailChecks } from '../../src/checks/mail.ts'
import { openApp } from '../fixtures/app.ts'
import { startDns } from '../fixtures/dns.ts'
import { findingSaid } from '../fixtures/finding-said.ts'
import { keepAnnouncement } from '../fixtures/keep-announcement.ts'
import { linkKey } from '../fixtures/keys.ts'
import { setStage } from '../fixtures/stage.ts'

const RECORDS = {
  'example.org': ['v=spf1 include:relay.example -all'],
  '_dmarc.example.org': ['v=DMARC1; p=reject'],
  'k1._domainkey.example.org': ['v=DKIM1; p=abc'],
}

const aSecond = (letters: number) => ({ letters, ms: 1000 })

async function setUp() {
  const { store, mailer, relay } = await setStage(1)
  const { app } = await openApp({ store, suppressions: store.standings })
  const unsubscribeUrl = `${await app.listen({ port: 0, host: '127.0.0.1' })}/unsubscribe`
  const { resolveTxt } = await startDns(RECORDS)
  const fine = {
    toSend: 10,
    rate: aSecond(10),
    mailFrom: 'Meridian <team@example.org>',
    dkimSelector: 'k1',
  }
  const look = async (options: Partial<MailParts & SpeedOptions> = {}) => {
    const given = {
      store,
      mailer,
      product,
      linkKey,
      unsubscribeUrl,
      resolveTxt,
      ...fine,
      ...options,
    }
    const found = await lookBy(mailChecks, given, beforeLetters)
    return [...found, checkTime(found, given)].map(findingSaid)
  }
  return { look, mailer, store, relay, unsubscribeUrl }
}

describe('what is looked at before anybody is mailed', () => {
  it('is fine when all of it is', async () => {
    const { look, unsubscribeUrl } = await setUp()
    // So slow that no busy machine is slower.
    const found = await look({ rate: aSecond(1) })
    expect(found.filter(({ verdict }) => !/fine|note/.test(verdict))).toEqual([])
    expect(found).toEqual(
      expect.arrayContaining([
        { what: 'Mail server', verdict: 'fine', detail: 'accepts the connection' },
        { what: 'Database', verdict: 'fine', detail: expect.stringMatching(/^answers in \d+ ms$/) },
        { what: 'Unsubscribing', verdict: 'fine', detail: `${unsubscribeUrl} works` },
        {
          what: 'Time',
          verdict: 'note',
          detail: '10 to send at 1 a second: this will take 10 s',
        },
      ]),
    )
    expect(found.map(({ what }) => what)).toEqual(expect.arrayContaining(['SPF', 'DMARC', 'DKIM']))
  })

  it('counts those whose address the mail server cannot be told, and keeps nobody back for it', async () => {
    const { look, mailer } = await setUp()
    const check = async () => ({ roundTripMs: 1, isAsciiOnly: true })
    const [found] = (await look({ mailer: { ...mailer, check }, outsideAscii: 3 })).filter(
      ({ detail }) => detail.includes('SMTPUTF8'),
    )
    expect(found).toEqual({
      what: 'Mail server',
      verdict: 'note',
      detail:
        'takes no address with letters outside ASCII before the @ (it has no SMTPUTF8), as 3 recipients have: their letters will fail',
    })
    for (const options of [{ outsideAscii: 3 }, { mailer: { ...mailer, check }, outsideAscii: 0 }])
      expect((await look(options)).some(({ detail }) => detail.includes('SMTPUTF8'))).toBe(false)
  })

  it('is fatal when the mail server does not let us in, or nobody could unsubscribe', async () => {
    const { look, relay, unsubscribeUrl } = await setUp()
    await relay.close()
    const found = await look({ unsubscribeUrl: `${unsubscribeUrl}/elsewhere` })
    expect(found).toEqual(
      expect.arrayContaining([
        { what: 'Mail server', verdict: 'fatal', detail: expect.stringContaining('127.0.0.1: ') },
        { what: 'Unsubscribing', verdict: 'fatal', detail: expect.any(String) },
      ]),
    )
  })

  it('is fatal while a list is held that came from a copy, until somebody says that it is right', async () => {
    const { look, store } = await setUp()
    const list = async () =>
      (await look({ rate: aSecond(1), id: 'launch' })).find(({ what }) => what === 'List')
    await store.hold.begin({ isBelieved: false, since: new Date() })
    expect(await list()).toMatchObject({
      verdict: 'fatal',
      detail: expect.stringContaining('restore --list-is-right'),
    })
    await store.hold.end()
    expect(await list()).toBeUndefined()
    // A copy with a right seal holds only what it does not know.
    await store.hold.begin({ isBelieved: true, since: new Date() })
    expect(await list()).toMatchObject({ verdict: 'fatal' })
    await keepAnnouncement(store, 'launch', new Date(), [])
    expect(await list()).toBeUndefined()
    // Newcomers, and those that failed, may have got it since the copy was made.
    const again = await look({ rate: aSecond(1), id: 'launch', mayBeToldAlready: true })
    expect(again.find(({ what }) => what === 'List')).toMatchObject({ verdict: 'fatal' })
  })

  it('is a problem when it would take longer than a day, and not before', async () => {
    const { look } = await setUp()
    const time = async (toSend: number, rate = aSecond(1)) =>
      (await look({ toSend, rate })).find(({ what }) => what === 'Time')
    expect(await time(86_400)).toMatchObject({ verdict: 'note' })
    expect(await time(86_401)).toEqual({
      what: 'Time',
      verdict: 'problem',
      detail: expect.stringMatching(/^86,401 to send at 1 a second: this will take 24 h/),
    })
    // A rate of a day was asked for.
    expect(await time(4000, { letters: 400, ms: 86_400_000 })).toMatchObject({
      verdict: 'note',
      detail: '4,000 to send at 400 a day: this will take 10 days 0 h',
    })
  })

  it('says how fast it will really be, and what does not let it be faster', async () => {
    const { look, mailer } = await setUp()
    const time = async (options: Partial<MailParts & SpeedOptions>) =>
      (await look({ toSend: 1000, ...options })).find(({ what }) => what === 'Time')
    const farAway = { ...mailer, check: async () => ({ roundTripMs: 499.5 }) }
    expect(await time({ mailer: farAway })).toEqual({
      what: 'Time',
      verdict: 'note',
      detail:
        '1,000 to send. 10 a second are set, but the mail server takes 500 ms to answer: about 2.5 a second, so this will take about 7 min. The run shows the real speed',
    })
  })

  it('does not hide a fault of our own', async () => {
    const { look, mailer } = await setUp()
    const broken = { ...mailer, check: () => Promise.reject(new TypeError('it is broken')) }
    await expect(look({ mailer: broken })).rejects.toThrow('it is broken')
  })
})
