import product from '../../../product.config.ts'
import { makeLink } from '../../../src/desk/access/sessions.ts'
import { deskPaths } from '../../../src/desk/contract/pages.ts'
import { paths } from '../../../src/shared/api.ts'
import { type RunningSite, startSite } from '../../fixtures/running-site.ts'
import { withStore } from '../../fixtures/with-store.ts'
import { leftToTorture } from '../long.ts'
import { expect, test } from './fixtures.ts'
import { glance, type Tab } from './tab.ts'

leftToTorture()

// One visit of the operator: each test goes on where the one before it ended.
test.describe.configure({ mode: 'serial' })

let site: RunningSite
let tab: Tab

test.beforeAll(async ({ openTab }) => {
  site = await startSite()
  await withStore(site, (store) => store.list.add('ada@example.com'))
  tab = await openTab({ motion: false })
})
test.afterAll(async () => {
  await tab?.close()
  await site?.stop()
})

/** All that these tests ask of a page of the desk. Runs in the page, alone. */
function seen() {
  const words = (what: string) => document.querySelector(what)?.textContent
  return {
    path: location.pathname,
    hash: location.hash,
    heading: words('h1'),
    says: words('[role=status]'),
    live: document.querySelector<HTMLElement>('.live')?.dataset.status,
    count: words('.figure-value'),
    page: words('.page-is'),
    found: words('.found'),
    frame: document.querySelector('iframe') !== null,
    // As wide as the window, and no wider.
    isFitting: document.documentElement.scrollWidth <= innerWidth,
  }
}

const expectDesk = (wanted: Partial<Record<keyof ReturnType<typeof seen>, unknown>>) =>
  expect.poll(() => glance(tab, seen)).toMatchObject({ isFitting: true, ...wanted })

/**
 * Presses the link or button with these words when the page has come as far, and once that is
 * answered: its page may go at once.
 */
const press = async (words: string) => {
  const pressed = (words: string) => {
    const all = [...document.querySelectorAll<HTMLElement>('a, button')]
    const found = all.find(({ textContent }) => textContent?.includes(words))
    setTimeout(() => found?.click())
    return { isThere: found !== undefined }
  }
  await expect.poll(() => glance(tab, pressed, words), words).toEqual({ isThere: true })
}

/** Puts the focus into a field as whoever clicks it, when the page has come as far. */
const focus = async (what: string) => {
  const focused = (what: string) => {
    const field = document.querySelector<HTMLElement>(what)
    field?.focus()
    return { isFocused: field !== null && document.activeElement === field }
  }
  await expect.poll(() => glance(tab, focused, what), what).toEqual({ isFocused: true })
}

const enter = async (id: string, text: string) => {
  await focus(`#${id}`)
  await tab.type(text)
  const value = (id: string) => (document.getElementById(id) as HTMLInputElement | null)?.value
  await expect.poll(() => tab.evaluate(value, id)).toContain(text)
}

test('the link opens the desk with a button, and Today is live', async () => {
  const { path, secret } = await withStore(site, (store, linkKey) => makeLink(store.desk, linkKey))
  await tab.open(`${site.url}/desk/${path}#${secret}`)
  await expectDesk({ path: `/desk/${path}`, heading: product.name, hash: '' })
  await press('Open the desk')
  await expectDesk({ path: deskPaths.today, live: 'live', count: '1' })
  await withStore(site, (store) => store.list.add('bob@example.com'))
  await expectDesk({ count: '2' })
})

test('a search finds as it is typed, and leads to the person', async () => {
  await press('People')
  await expectDesk({ path: deskPaths.people, heading: 'People' })
  await focus('[type=search]')
  await tab.type('ada')
  await expectDesk({ found: '1 person' })
  await press('ada@example.com')
  await expectDesk({ heading: 'ada@example.com' })
})

test('a letter is written, and shown as it will be sent', async () => {
  await press('Letters')
  await expectDesk({ path: deskPaths.letters })
  await press('Write the first letter')
  await expectDesk({ path: `${deskPaths.letters}/new` })
  await enter('name', 'launch')
  await enter('subject', 'We are live')
  await enter('from', 'team@example.org')
  await enter('text', 'Come in')
  await press('Save')
  await expectDesk({ path: `${deskPaths.letters}/launch`, heading: 'We are live', frame: true })
  await expectDesk({ live: 'live' })
})

test('the page is opened by typing where its button leads, and Today says so', async () => {
  await press('Opening')
  await expectDesk({ path: deskPaths.opening, heading: 'Coming Soon' })
  await enter('url', 'https://app.example.com')
  await press('Look at what happens')
  await expectDesk({ heading: 'Open the page now?' })
  await enter('word', 'app.example.com')
  await tab.press('Enter')
  await expectDesk({ path: deskPaths.opening, heading: 'Open' })
  const led = async () => (await (await fetch(site.url + paths.opening)).json()).open
  await expect.poll(led).toBe('https://app.example.com/')
  await press('Today')
  await expectDesk({ path: deskPaths.today, page: expect.stringMatching(/^Open since/) })
  expect(tab.complaints()).toEqual([])
})
