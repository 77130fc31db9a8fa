import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { OpeningPage, OpeningSurePage } from '../../../src/desk/contract/opening.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { openDesk, type TestDesk } from '../../fixtures/desk.ts'

const url = 'https://app.example.com'
const later = { when: 'at', at: '2099-01-12T09:00' }
const now = { when: 'now', at: '' }
beforeAll(() => void vi.stubEnv('TZ', 'Europe/Berlin'))

type Fields = Readonly<Record<string, string>>

const look = async ({ post }: TestDesk, fields: Fields) => {
  const answer = await post('/desk/opening/look', { url, ...fields })
  type Either = Omit<OpeningSurePage, 'page'> & Omit<OpeningPage, 'page'>
  return { ...answer, page: answer.page as unknown as Either }
}

/** Both steps, as the pages send them. */
async function set(desk: TestDesk, fields: Fields, typed = 'app.example.com') {
  const { page } = await look(desk, fields)
  return desk.post('/desk/opening', { url, ...fields, mark: page.mark, word: typed })
}

describe('the opening at the desk', () => {
  it('is looked at first, and that changes nothing', async () => {
    const desk = await openDesk()
    expect((await look(desk, later)).page).toMatchObject({
      page: 'opening-sure',
      what: 'at',
      word: 'app.example.com',
      mark: 'none',
    })
    expect((await look(desk, now)).page).toMatchObject({ what: 'now' })
    expect(await desk.store.opening.get()).toBeUndefined()
  })

  it('is set by typing where the button leads, and then shown, on Today as well', async () => {
    const desk = await openDesk()
    expect((await set(desk, later, 'yes')).statusCode).toBe(409)
    expect(await desk.store.opening.get()).toBeUndefined()
    expect((await set(desk, later, ' App.Example.com ')).statusCode).toBe(303)
    const opening = {
      words: `coming soon, opens 2099-01-12 09:00 Europe/Berlin, which is 2099-01-12 08:00 UTC: will lead to ${url}/`,
      isOpen: false,
      opensAt: Date.parse('2099-01-12T08:00Z'),
    }
    expect((await desk.get('/desk/opening')).page).toMatchObject({
      state: opening,
      fields: { when: 'at', at: '2099-01-12T09:00' },
    })
    expect((await desk.get('/desk')).page).toMatchObject({ state: { opening } })
  })

  it('opens the page now, for good, in place of a time that was set', async () => {
    const desk = await openDesk()
    await set(desk, later)
    expect((await set(desk, now)).statusCode).toBe(303)
    expect(await desk.store.opening.get()).toMatchObject({ openedAt: expect.any(Date) })
    expect((await desk.get('/desk')).page).toMatchObject({ state: { opening: { isOpen: true } } })
    // A page that is open is closed by taking it back, and by no time.
    expect((await look(desk, later)).page.mistake?.text).toContain('The page is open.')
  })

  it('does what is pressed twice once', async () => {
    const desk = await openDesk()
    const { page } = await look(desk, now)
    const again = { url, ...now, mark: page.mark, word: 'app.example.com' }
    expect((await desk.post('/desk/opening', again)).statusCode).toBe(303)
    const first = await desk.store.opening.get()
    expect((await desk.post('/desk/opening', again)).statusCode).toBe(303)
    expect(await desk.store.opening.get()).toEqual(first)
  })

  it('does nothing when something else was set since it was looked at', async () => {
    const desk = await openDesk()
    const { page } = await look(desk, later)
    await desk.store.opening.set({
      url: 'https://other.example.com/',
      at: new Date('2099-02-01'),
      zone: 'UTC',
      openedAt: undefined,
    })
    const answer = await desk.post('/desk/opening', {
      url,
      ...later,
      mark: page.mark,
      word: 'app.example.com',
    })
    expect(answer.statusCode).toBe(409)
    expect(answer.page).toMatchObject({ error: expect.stringContaining('changed meanwhile') })
    const undo = await desk.post('/desk/opening/undo', { mark: page.mark })
    expect(undo.statusCode).toBe(409)
    expect(await desk.store.opening.get()).toMatchObject({ url: 'https://other.example.com/' })
  })

  it('is taken back after a question', async () => {
    const desk = await openDesk()
    await set(desk, now)
    const { page } = await desk.get('/desk/opening/undo')
    expect(page).toMatchObject({
      what: 'close',
      sentences: [
        expect.stringMatching(/^Open since /),
        expect.stringMatching(/^The page will say Coming Soon/),
      ],
    })
    const { mark } = page as unknown as OpeningSurePage
    expect((await desk.post('/desk/opening/undo', { mark })).statusCode).toBe(303)
    expect(await desk.store.opening.get()).toBeUndefined()
    expect((await desk.get('/desk/opening/undo')).statusCode).toBe(303)
  })

  it.each([
    ['no address', { url: 'app.example.com', ...now }, 'url', /must lead to/],
    ['the page itself', { url: 'http://localhost:3000', ...now }, 'url', /this page itself/],
    ['no time', { ...later, at: '' }, 'at', /^Say when/],
    ['a time that comes twice', { ...later, at: '2028-10-29T02:30' }, 'at', /^2028.* twice/],
  ])('refuses %s, with what was typed', async (_what, fields, field, words) => {
    const desk = await openDesk()
    const { statusCode, page } = await look(desk, fields as Fields)
    expect(statusCode).toBe(422)
    expect(page.mistake).toMatchObject({ field, text: expect.stringMatching(words) })
    expect(page.fields).toMatchObject(fields.at === undefined ? {} : { at: fields.at })
    expect(page.mistake?.isSpelt).toBe(/twice/.test(page.mistake?.text ?? ''))
  })

  it('says when the countdown on the page promises another time', async () => {
    const { default: product } = await import('../../../product.config.ts')
    const opensAt = { at: '2099-01-13T09:00', zone: 'Europe/Berlin' }
    const desk = await openDesk({ product: { ...product, opensAt } })
    expect((await look(desk, later)).page.sentences.join(' ')).toContain(
      'The countdown on the page says 2099-01-13 09:00 Europe/Berlin',
    )
    expect((await desk.get('/desk')).page).toMatchObject({
      state: { opening: { words: expect.stringContaining('with a countdown to 2099-01-13 ') } },
    })
    await set(desk, later)
    expect((await desk.get('/desk/opening')).page).toMatchObject({
      state: { beside: expect.stringContaining('2099-01-13') },
    })
  })
  it('begins with an empty form, then with what is set, as it was typed', async () => {
    const desk = await openDesk()
    const fields = async () => ((await desk.get('/desk/opening')).page as OpeningPage).fields
    expect(await fields()).toEqual({ url: '', when: 'now', at: '' })
    await set(desk, later)
    expect(await fields()).toEqual({
      url: `${url}/`,
      when: 'at',
      at: '2099-01-12T09:00',
    })
    const { page } = await desk.get('/desk/opening/undo')
    expect(page).toMatchObject({
      what: 'undo',
      url: `${url}/`,
      sentences: [
        expect.stringMatching(/^Coming soon, opens 2099-01-12 09:00 Europe\/Berlin/),
        'The page will not open by itself any more.',
      ],
    })
    await set(desk, now)
    expect(await fields()).toEqual({ url: `${url}/`, when: 'now', at: '' })
  })

  it('says before it is done what will be, and what not', async () => {
    const desk = await openDesk()
    const sentences = async (fields: Fields) => (await look(desk, fields)).page.sentences
    const goesOn = 'Sign-ups go on. Opening sends no letter: the announcement does, under Letters.'
    expect(await sentences(later)).toEqual([
      `The page opens 2099-01-12 09:00 Europe/Berlin, which is 2099-01-12 08:00 UTC; its button will lead to ${url}/`,
      'If the server is down then, the page opens when it starts.',
      goesOn,
    ])
    expect(await sentences(now)).toEqual([
      `The page is open, and its button leads to ${url}/`,
      'Every running server shows that within a second, and pages in open tabs within ten.',
      goesOn,
    ])
  })

  it('leads its button elsewhere once it is open, and stays open since then', async () => {
    const desk = await openDesk()
    await set(desk, now)
    const { openedAt } = (await desk.store.opening.get()) ?? {}
    const other = { ...now, url: 'https://shop.example.com' }
    const { page } = await look(desk, other)
    expect(page).toMatchObject({ what: 'lead', word: 'shop.example.com' })
    const press = (word: string) => desk.post('/desk/opening', { ...other, mark: page.mark, word })
    const wrong = await press('app.example.com')
    expect(wrong.statusCode).toBe(409)
    expect(wrong.page).toMatchObject({
      error: 'Type shop.example.com, where the button will lead. Nothing was changed.',
    })
    expect((await press('shop.example.com')).statusCode).toBe(303)
    expect(await desk.store.opening.get()).toMatchObject({
      url: 'https://shop.example.com/',
      openedAt,
    })
  })

  it('is looked at again where the same was set meanwhile', async () => {
    const desk = await openDesk()
    await set(desk, later)
    const looked = async (fields: Fields) => (await look(desk, fields)).statusCode
    expect(await looked(later)).toBe(303)
    expect(await looked(now)).toBe(200)
    for (const other of [
      { ...later, at: '2099-01-12T10:00' },
      { ...later, url: 'https://other.example.com' },
    ])
      expect(await looked(other), JSON.stringify(other)).toBe(200)
    await set(desk, now)
    expect(await looked(now)).toBe(303)
  })

  it('keeps what was typed where it cannot be written', async () => {
    const desk = await openDesk()
    const away = () => Promise.reject(new StoreUnavailable('full'))
    await set(desk, later)
    const { mark } = (await desk.get('/desk/opening/undo')).page as OpeningSurePage
    Object.assign(desk.store.opening, { set: away, undo: away })
    for (const answer of [await set(desk, now), await desk.post('/desk/opening/undo', { mark })]) {
      expect(answer.statusCode).toBe(409)
      expect(answer.page).toMatchObject({
        page: 'opening-sure',
        error: expect.stringMatching(/^The opening cannot be written now/),
      })
    }
    expect(await desk.store.opening.get()).toMatchObject({ openedAt: undefined })
    // A fault of ours is not called a full disk.
    Object.assign(desk.store.opening, { set: () => Promise.reject(new TypeError('a fault')) })
    expect((await set(desk, now)).statusCode).toBe(500)
  })

  it('begins anew at the second step as well, with what is wrong', async () => {
    const desk = await openDesk()
    const answer = await desk.post('/desk/opening', { url, ...later, at: '' })
    expect(answer.statusCode).toBe(422)
    expect(answer.page).toMatchObject({
      page: 'opening',
      mistake: { field: 'at', text: 'Say when.' },
    })
    expect((await desk.post('/desk/opening/undo', { mark: 'none' })).statusCode).toBe(303)
  })
})
