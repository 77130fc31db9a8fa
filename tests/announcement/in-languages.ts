import { expect, it } from 'vitest'
import ours from '../../product.config.ts'
import { countRun } from '../../src/announcement/outlook.ts'
import type { AnnounceOptions, RunEnd } from '../../src/announcement/tell-everyone.ts'
import { messages } from '../../src/mail/letter/message.ts'
import { asking } from '../../src/sign-up/ask.ts'
import { confirmationLetter } from '../../src/sign-up/confirmation-letter.ts'
import type { Delivery } from '../../src/store/delivery-ledger.ts'
import type { Store } from '../../src/store/store.ts'
import { openApp, openSince, postForm } from '../fixtures/app.ts'
import { answer, letterTo, startConfirming } from '../fixtures/confirming.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import type { Relay } from '../fixtures/relay.ts'

const letter = {
  subject: 'We are live',
  preview: '',
  from: 'team@example.com',
  replyTo: undefined,
  markdown: 'Hello',
}
const unsubscribeUrl = 'https://example.com/unsubscribe'

/** English first, Arabic and German beside it. */
const languages = [
  { code: 'en', path: '/en', product: ours },
  { code: 'ar', path: '/ar', product: { ...ours, language: 'ar' } },
  { code: 'de', path: '/de', product: { ...ours, language: 'de' } },
] as const
const codes = languages.map(({ code }) => code)

/** The letter in English and Arabic; Germans get the English one. */
const inArabicToo = () =>
  messages({
    letter,
    translations: [{ code: 'ar', letter: { ...letter, subject: 'نحن هنا' } }],
    languages,
    product: ours,
    logo: Buffer.from('png'),
    unsubscribeUrl,
    linkKey,
    announcement: 'launch',
  })

interface Stage {
  readonly store: Store
  readonly relay: Relay
  run(options?: Partial<AnnounceOptions>): Promise<RunEnd>
}

/** What holds from a sign-up in a language to the last letter in it. @param open an empty list. */
export function inLanguages(open: () => Promise<Stage>) {
  async function openSite() {
    const stage = await open()
    const { store } = stage
    const site = (requests?: Store['requests']) =>
      openApp({
        store,
        suppressions: store.standings,
        requests,
        answers: store.requests,
        languages: codes,
      })
    return { ...stage, site }
  }

  const rowsOf = async (store: Store) => {
    const rows: Delivery[] = []
    for await (const row of store.ledger.deliveries('launch')) rows.push(row)
    return Object.fromEntries(rows.map(({ email, language }) => [email, language]))
  }

  it('signs up in Arabic, confirms, gets the Arabic letter and unsubscribes in Arabic', async () => {
    const { store, relay, run, site } = await openSite()
    const { app } = await site(store.requests)
    const email = 'ada@example.com'
    await postForm(app, { email, language: 'ar' }, openSince(60_000))
    const asked = await startConfirming(store.requests, undefined, { languages })
    const { letter: question, path } = await letterTo(asked.relay, email)
    expect(question.html).toContain('<html lang="ar" dir="rtl">')
    expect(path).toMatch(/^\/ar\/confirm\//)
    expect((await app.inject(path)).body).toContain('id="ask"')
    expect(await answer(app, path, { answer: 'yes' })).toMatchObject({ page: 'done' })

    // In another language a stranger changes nothing.
    const other = await site()
    await postForm(other.app, { email, language: 'de' }, openSince(60_000))
    const { balance } = await run({ message: inArabicToo() })
    expect(balance).toMatchObject({ holds: true, eligible: 1, tally: { sent: 1 } })
    const { subject, headers } = await relay.messageTo(email)
    expect(subject).toBe('نحن هنا')
    expect(await rowsOf(store)).toEqual({ [email]: 'ar' })

    const link = headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
    const leaving = new URL(link.slice(1, -1)).pathname
    expect(leaving).toMatch(/^\/ar\/unsubscribe\//)
    expect((await app.inject(leaving)).body).toContain('id="ask"')
    const left = await app.inject({ method: 'POST', url: leaving })
    expect(left.body).toContain('id="done"')
    expect(await store.standings.of(email)).toMatchObject({ standing: 'unsubscribed' })
    const again = await run({ message: inArabicToo(), includeNew: true })
    expect(again.balance).toMatchObject({ holds: true, eligible: 1, tally: { sent: 1 } })
  })

  it('gives each the letter of their row, and the first one where there is none', async () => {
    const { store, relay, run } = await openSite()
    const spoken = { ar: 'ar', en: 'en', german: 'de', french: 'fr', nobody: undefined }
    const subscribedAt = new Date('2026-01-01T00:00:00Z')
    await store.list.importAll(
      Object.entries(spoken).map(([name, language]) => ({
        email: `${name}@example.com`,
        subscribedAt,
        ...(language && { extra: { language } }),
      })),
    )
    const { toSend } = await countRun(store, { id: 'launch' })
    const { balance } = await run({ message: inArabicToo(), letter: { subject: 'x', digest: 'y' } })
    expect(toSend).toBe(5)
    expect(balance).toMatchObject({ holds: true, eligible: 5, tally: { sent: 5 } })
    expect(await rowsOf(store)).toEqual(
      Object.fromEntries(
        Object.keys(spoken).map((name) => [`${name}@example.com`, name === 'ar' ? 'ar' : 'en']),
      ),
    )
    const subjectOf = async (name: string) => (await relay.messageTo(`${name}@example.com`)).subject
    expect(await subjectOf('ar')).toBe('نحن هنا')
    for (const name of ['en', 'german', 'french', 'nobody'])
      expect(await subjectOf(name)).toBe('We are live')
    const { text = '' } = await relay.messageTo('german@example.com')
    expect(text).toContain('Abmelden: https://example.com/de/unsubscribe/')
  })

  it('asks those from before in the language of their row', async () => {
    const { store } = await openSite()
    const subscribedAt = new Date('2026-01-01T00:00:00Z')
    await store.list.importAll([
      { email: 'ada@example.com', subscribedAt, extra: { language: 'ar' } },
    ])
    const letter = confirmationLetter({
      product: ours,
      languages,
      from: 'team@example.com',
      confirmUrl: 'https://example.com/confirm',
      linkKey,
    })
    const ask = asking({ ...store, product: ours, languages, letter })
    const email = 'ada@example.com'
    const asked = await ask({ addressId: ids.of(email), email })
    if (!('message' in asked)) throw new Error('nobody was to be asked')
    expect(asked.message.html).toContain('<html lang="ar" dir="rtl">')
    expect(asked.message.text).toContain('https://example.com/ar/confirm/')
  })
}
