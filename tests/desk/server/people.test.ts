import { connect, constants } from 'node:http2'
import { describe, expect, it } from 'vitest'
import product from '../../../product.config.ts'
import type { DeskPage } from '../../../src/desk/contract/pages.ts'
import type { PeoplePage } from '../../../src/desk/contract/people.ts'
import { addressIds } from '../../../src/keys/address-id.ts'
import type { Pending } from '../../../src/people/pending.ts'
import type { Store } from '../../../src/store/store.ts'
import { openDesk, reportOf } from '../../fixtures/desk.ts'
import { homeOnFile } from '../../fixtures/home.ts'
import { people, person } from '../../store/contracts/people.ts'

type Desk = Awaited<ReturnType<typeof openDesk>>

const idOf = async ({ post }: Desk, email: string) =>
  ((await post('/desk/people', { text: email })).page as PeoplePage).people[0]?.id ?? ''

/** What can be done, on the page of a person. */
const actsOf = (page: DeskPage | undefined) =>
  page?.page === 'report' &&
  page.report.parts.flatMap((part) =>
    part.part === 'acts' ? part.acts.map(({ code }) => code) : [],
  )

const emails = (page: unknown) => (page as PeoplePage).people.map(({ email }) => email)

describe('the list on the desk', () => {
  it('shows the newest, and leads to older ones, until all were shown once', async () => {
    const { get, post, store } = await openDesk()
    await store.list.importAll(people(120))
    const newest = people(120)
      .map(({ email }) => email)
      .toReversed()
    for (const first of [
      () => get('/desk/people'),
      () => post('/desk/people', { text: 'person' }),
    ]) {
      const { page } = await first()
      expect(page).toMatchObject({ page: 'people', found: 120, isMore: false, isLater: false })
      const seen = emails(page)
      let next = (page as PeoplePage).next
      while (next !== null) {
        const text = (page as PeoplePage).filter.text
        const answer = text
          ? await post('/desk/people', { text, after: next })
          : await get(`/desk/people?after=${next}`)
        expect(answer.page).toMatchObject({ isLater: true })
        seen.push(...emails(answer.page))
        next = (answer.page as PeoplePage).next
      }
      expect(seen).toEqual(newest)
    }
  })

  it('finds by a form without script, and as typed, with the same result', async () => {
    const { post, store } = await openDesk()
    for (const name of ['ada', 'bob']) await store.list.add(`${name}@example.com`)
    const { page } = await post('/desk/people', { text: ' ADA@' })
    expect(emails(page)).toEqual(['ada@example.com'])
    const typed = await post('/desk/people/search', { text: ' ADA@' })
    expect(JSON.parse(typed.body)).toMatchObject({
      people: (page as PeoplePage).people,
      found: 1,
      isMore: false,
      next: null,
      beside: null,
    })
  })

  it('stops looking for who types on, and calls that no fault', async () => {
    const home = homeOnFile()
    const asked = Promise.withResolvers<AbortSignal | undefined>()
    const page: Store['people']['page'] = async ({ signal }) => {
      asked.resolve(signal)
      await new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      )
      throw new Error('nobody comes here')
    }
    const { desk, inside, csrf, logged } = await openDesk({
      home,
      store: { ...home.store, people: { ...home.store.people, page } },
    })
    const session = connect(await desk.listen({ host: '127.0.0.1', port: 0 }))
    const search = session.request({
      ...inside,
      ':method': 'POST',
      ':path': '/desk/people/search',
      origin: 'http://localhost:3000',
      'content-type': 'application/x-www-form-urlencoded',
    })
    search.end(new URLSearchParams({ csrf, text: 'ada' }).toString())
    const signal = await asked.promise
    search.close(constants.NGHTTP2_CANCEL)
    await expect.poll(() => signal?.aborted).toBe(true)
    session.close()
    await desk.close()
    expect(logged()).not.toContain('failed')
  })

  it('takes no text from an address, and gives a filter one', async () => {
    const { get, post, store } = await openDesk()
    for (const name of ['ada', 'bob']) await store.list.add(`${name}@example.com`)
    await store.standings.set([{ email: 'bob@example.com', standing: 'bounced' }])
    expect(emails((await get('/desk/people?text=ada')).page)).toHaveLength(2)
    const filtered = await post('/desk/people', {
      text: '',
      standing: 'bounced',
      since: '2026-01-01',
    })
    expect(filtered.statusCode).toBe(303)
    expect(filtered.headers.location).toBe('/desk/people?standing=bounced&since=2026-01-01')
    expect(emails((await get(String(filtered.headers.location))).page)).toEqual(['bob@example.com'])
    const older = await post('/desk/people', { text: '', after: '5-5' })
    expect(older.headers.location).toBe('/desk/people?after=5-5')
  })

  it('understands no nonsense, and fails at none', async () => {
    const { get, post, store, logged } = await openDesk()
    await store.list.importAll(people(3))
    const nonsense = [
      '%00',
      '2026-13-45',
      'x'.repeat(2000),
      "'",
      '\u202e',
      '<script>',
      '-1',
      '9999-99-99',
    ]
    for (const value of nonsense)
      for (const name of ['standing', 'source', 'since', 'until', 'after', 'done', 'n', 'of']) {
        const answer = await get(`/desk/people?${name}=${encodeURIComponent(value)}`)
        expect(answer.statusCode, `${name} ${value}`).toBe(200)
        const posted = await post('/desk/people', { text: 'person', [name]: [value, value] })
        expect(posted.statusCode, `${name} ${value}`).toBe(200)
      }
    for (const path of ['/desk/people/search', '/desk/people', '/desk/people/export'])
      expect((await post(path, { text: ['a', 'b'] })).statusCode, path).toBeLessThan(400)
    expect(logged()).not.toContain('the desk failed')
  })

  it('says who is meant by a whole address that is not on the list', async () => {
    const { post, store } = await openDesk()
    await store.standings.set([{ email: 'left@example.com', standing: 'unsubscribed' }])
    await store.standings.forget('gone@example.com')
    const beside = async (text: string) =>
      ((await post('/desk/people', { text })).page as PeoplePage).beside
    expect(await beside('left@example.com')).toMatchObject({
      how: 'Not on the list, and unsubscribed.',
    })
    expect(await beside('gone@example.com')).toMatchObject({
      how: 'Not on the list, and forgotten.',
    })
    expect(await beside('nobody@example.com')).toBeNull()
  })

  it('says of a whole address that a filter leaves out where it is', async () => {
    const { post, store, home } = await openDesk()
    await store.list.add('ada@example.com')
    const asked = {
      email: 'bob@example.com',
      askedAt: new Date(),
      shown: { words: 'Notify Me', page: 'a1b2', language: 'en' },
      letters: 1,
    }
    const id = addressIds(home.linkKey).of(asked.email)
    const keep = (pending: Pending) =>
      store.requests.changePending(id, () => ({ result: undefined, pending }))
    await keep(asked)
    const beside = async (text: string, standing = '') =>
      ((await post('/desk/people', { text, standing })).page as PeoplePage).beside
    expect(await beside('Ada@Example.com')).toBeNull()
    expect(await beside('ada@example.com', 'bounced')).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      email: 'ada@example.com',
      isListed: true,
      how: 'On the list, but the filter leaves them out.',
    })
    expect(await beside('bob@example.com')).toMatchObject({
      isListed: false,
      how: 'Asked to be told, and has not confirmed.',
    })
    const no = { ...asked, noAt: new Date() }
    await keep(no)
    expect(await beside('bob@example.com')).toMatchObject({
      how: 'Asked to be told, and said that it was not them.',
    })
    await keep({ ...no, yesAt: new Date() })
    expect(await beside('bob@example.com')).toMatchObject({
      how: 'Asked to be told, and has not confirmed.',
    })
    expect(await beside('ada@', 'bounced')).toBeNull()
  })

  it('shows how each came and stands', async () => {
    const { get, store } = await openDesk()
    await store.list.importAll(people(1))
    await store.list.add('ada@example.com', { suspicion: 'too-quick' })
    await store.list.add('bob@example.com', { source: { source: 'hn' } })
    const { page } = await get('/desk/people')
    expect(page).toMatchObject({
      people: [
        { email: 'bob@example.com', signs: [], source: 'hn', isImported: false },
        {
          email: 'ada@example.com',
          standing: 'quarantined',
          signs: ['too-quick'],
          source: null,
        },
        {
          email: person(1).email,
          standing: 'subscribed',
          signs: [],
          source: null,
          isImported: true,
        },
      ],
      standings: expect.arrayContaining(['quarantined', 'bounced']),
    })
  })

  it('offers what the page asks', async () => {
    const question = { ask: 'What bread?', kind: 'choice', choices: ['Rye', 'Wheat'] } as const
    const { get } = await openDesk({
      product: { ...product, question },
    })
    expect((await get('/desk/people')).page).toMatchObject({
      choices: ['Rye', 'Wheat'],
    })
  })

  it('puts no address into a log or a path', async () => {
    const desk = await openDesk()
    await desk.store.list.add('ada@example.com')
    const id = await idOf(desk, 'ada@example.com')
    await desk.get(`/desk/people/${id}`)
    const paths = [
      (await desk.post(`/desk/people/${id}/unsubscribe`, {})).headers.location,
      (await desk.post('/desk/people', { text: '', source: 'ada@example.com' })).headers.location,
    ]
    expect(id).toMatch(/^[\w-]{22}$/)
    for (const path of paths) expect(path).not.toMatch(/ada|example/)
    expect(desk.logged()).not.toMatch(/ada|example\.com/)
  })
})

/** What is shown of a forgotten person. */
const forgotten = (title: unknown) => ({
  page: 'report',
  report: { title, parts: [{ part: 'notes', notes: [{ code: 'forgotten' }] }] },
})

describe('the page of a person', () => {
  it('says what is known of somebody, and what can be done', async () => {
    const desk = await openDesk()
    await desk.store.list.importAll([
      {
        email: 'ada@example.com',
        subscribedAt: new Date('2026-01-01T00:00:00Z'),
        extra: { language: 'de', firstName: 'Ada' },
      },
    ])
    await desk.store.replies.keep('ada@example.com', 'Rye')
    const path = `/desk/people/${await idOf(desk, 'ada@example.com')}`
    const page = async (query = '') => (await desk.get(path + query)).page
    expect(reportOf(await page())).toMatchObject({
      ...{ standing: 'subscribed', language: 'de', firstName: 'Ada', answer: 'Rye', source: null },
      subscribedAt: '2026-01-01T00:00:00.000Z',
    })
    expect(actsOf(await page())).toEqual(['unsubscribe', 'forget'])
    expect(await page()).toMatchObject({ done: null })
    // What the page's address says is not believed.
    expect(await page('?done=unsubscribed')).toMatchObject({ done: { isDone: false } })
    for (const standing of ['bounced', 'complained'] as const) {
      await desk.store.standings.set([{ email: 'ada@example.com', standing }])
      expect(reportOf(await page())).toMatchObject({ standing })
      expect(actsOf(await page())).toEqual(['forget'])
    }
    await desk.store.standings.set([{ email: 'left@example.com', standing: 'unsubscribed' }])
    const left = addressIds(desk.home.linkKey).of('left@example.com')
    expect((await desk.get(`/desk/people/${left}`)).statusCode).toBe(404)
  })

  it('unsubscribes once, however often it is pressed', async () => {
    const desk = await openDesk()
    await desk.store.list.add('ada@example.com')
    const path = `/desk/people/${await idOf(desk, 'ada@example.com')}`
    const answer = await desk.post(`${path}/unsubscribe`, {})
    expect(answer.statusCode).toBe(303)
    const before = await desk.store.standings.of('ada@example.com')
    await desk.post(`${path}/unsubscribe`, {})
    expect(await desk.store.standings.of('ada@example.com')).toEqual(before)
    const { page } = await desk.get(String(answer.headers.location))
    expect(page).toMatchObject({ done: { isDone: true } })
    expect(reportOf(page)).toMatchObject({ standing: 'unsubscribed' })
  })

  it('releases who is quarantined, and says nothing untrue when it is pressed again', async () => {
    const desk = await openDesk()
    await desk.store.list.add('ada@example.com', { suspicion: 'too-quick, program' })
    const path = `/desk/people/${await idOf(desk, 'ada@example.com')}`
    const before = (await desk.get(path)).page
    expect(reportOf(before)).toMatchObject({ signs: 'too-quick, program' })
    expect(actsOf(before)).toEqual(['release', 'unsubscribe', 'forget'])
    for (let i = 0; i < 2; i += 1) {
      const { headers } = await desk.post(`${path}/release`, {})
      const { page } = await desk.get(String(headers.location))
      expect(page).toMatchObject({ done: { isDone: true, title: 'Released' } })
      expect(reportOf(page)).toMatchObject({ standing: 'subscribed' })
    }
  })

  it('forgets, and shows then that nothing is left', async () => {
    const desk = await openDesk()
    await desk.store.list.add('ada@example.com')
    const path = `/desk/people/${await idOf(desk, 'ada@example.com')}`
    for (let i = 0; i < 2; i += 1) {
      const answer = await desk.post(`${path}/forget`, {})
      expect(answer.headers.location).toBe(`${path}?done=forgotten`)
      const after = await desk.get(`${path}?done=forgotten`)
      expect(after).toMatchObject({ statusCode: 200, page: forgotten('They are forgotten') })
      expect(after.body).not.toContain('ada@example.com')
    }
    expect(await desk.store.list.find('ada@example.com')).toBeUndefined()
  })

  it('is a plain page of nobody for another tab, whatever that does', async () => {
    const desk = await openDesk()
    await desk.store.list.add('ada@example.com', { suspicion: 'program' })
    const path = `/desk/people/${await idOf(desk, 'ada@example.com')}`
    await desk.store.standings.forget('ada@example.com')
    for (const act of ['unsubscribe', 'release', 'forget']) {
      const { statusCode, headers } = await desk.post(`${path}/${act}`, {})
      expect(statusCode).toBe(303)
      expect((await desk.get(String(headers.location))).page).toMatchObject(
        forgotten(expect.any(String)),
      )
    }
    expect((await desk.get(path)).page).toMatchObject(forgotten('This person was forgotten'))
    expect(await desk.store.standings.of('ada@example.com')).toMatchObject({
      standing: 'forgotten',
    })
    for (const id of ['x', '..', 'A'.repeat(22), 'A'.repeat(500), '%ff']) {
      const { statusCode } = await desk.get(`/desk/people/${id}`)
      expect(statusCode, id).toBeOneOf([400, 404, 414])
    }
    expect(desk.logged()).not.toContain('the desk failed')
  })
})

/** The addresses in a file, without its head. */
const emailsIn = (csv: string) =>
  csv
    .split('\r\n')
    .slice(1)
    .flatMap((line) => line.split(',')[0] || [])

describe('the export of the desk', () => {
  it('is that of the command, with the filters of the page', async () => {
    const { post, store } = await openDesk()
    await store.list.importAll(people(3))
    await store.list.add('=1+1@example.com', { source: { source: 'hn' } })
    await store.standings.set([{ email: person(2).email, standing: 'bounced' }])
    const all = await post('/desk/people/export', {})
    expect(all.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'no-store',
      'content-disposition': expect.stringMatching(/^attachment; filename="[\w-]+\.csv"$/),
    })
    expect(all.body.split('\r\n').map((line) => line.split(',')[0])).toEqual([
      'email',
      person(1).email,
      person(3).email,
      "'=1+1@example.com",
      '',
    ])
    const lines = async (fields: Record<string, string>) => {
      const { body } = await post('/desk/people/export', fields)
      return emailsIn(body)
    }
    expect(await lines({ all: 'on' })).toHaveLength(4)
    expect(await lines({ standing: 'bounced' })).toEqual([person(2).email])
    expect(await lines({ text: 'PERSON' })).toEqual([person(1).email, person(3).email])
    expect(await lines({ source: 'hn' })).toEqual(["'=1+1@example.com"])
    expect(await lines({ source: 'nowhere' })).toEqual([])
    expect(await lines({ text: 'zz' })).toEqual([])
  })

  it('has those of the days that were asked for, as a file of the product', async () => {
    const { post, store } = await openDesk({ product: { ...product, name: '¡Brot & Zeit!' } })
    const at = (day: number) => new Date(`2026-03-${day}T12:00`)
    await store.list.importAll(people(4).map((one, i) => ({ ...one, subscribedAt: at(28 + i) })))
    const file = async (fields: Record<string, string>) => {
      const { body, headers } = await post('/desk/people/export', fields)
      return { emails: emailsIn(body), headers }
    }
    const days = await file({ since: '2026-03-29', until: '2026-03-30' })
    expect(days.emails).toEqual([person(2).email, person(3).email])
    expect(days.headers).toMatchObject({
      'content-disposition': expect.stringMatching(
        /^attachment; filename="brot-zeit-people-\d{4}-\d\d-\d\d\.csv"$/,
      ),
    })
    expect((await file({ since: '2026-03-30' })).emails).toEqual([person(3).email, person(4).email])
    expect((await file({ until: '2026-03-28' })).emails).toEqual([person(1).email])
    const excel = await post('/desk/people/export', { export: 'excel' })
    expect(excel.headers['content-type']).toBe('text/csv; charset=utf-16le')
    expect(excel.body).toContain('e\0m\0a\0i\0l\0\t\0')
    expect(excel.headers['content-disposition']).toMatch(/\d\.csv"$/)
    const other = await post('/desk/people/export', { export: 'exe' })
    expect(other.headers['content-type']).toBe('text/csv; charset=utf-8')
  })

  it('is whole where it has more than fits into memory at once', async () => {
    const { post, store } = await openDesk()
    for (let i = 0; i < 5000; i += 500) await store.list.importAll(people(5000).slice(i, i + 500))
    const { body } = await post('/desk/people/export', {})
    expect(body.split('\r\n')).toHaveLength(5002)
  })

  it('is a page that says so where the store is away', async () => {
    const desk = await openDesk()
    await desk.store.close()
    for (const path of ['', '/search', '/export'])
      expect((await desk.post(`/desk/people${path}`, { text: 'a' })).statusCode, path).toBe(503)
  })
})
