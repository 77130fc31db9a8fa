import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from '@playwright/test'
import type {
  DeskFiles,
  DeskPage,
  DeskShell,
  ProblemPage,
  RenderDesk,
} from '../../src/desk/contract/pages.ts'
import type { Moment, PeoplePage, PersonPage, PersonRow } from '../../src/desk/contract/people.ts'
import product from '../../src/product/product.ts'
import { accentOf, BLACK, logoOn } from '../../src/shared/look.ts'
import { site } from '../../src/site/site.ts'

const ORIGIN = 'https://example.com'
const NOW = Date.UTC(2026, 10, 22, 13, 32)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const names = 'ada.lovelace grace bob.noyce katherine.j mkaya office j.park sol bea hedy'.split(' ')
const domains = ['example.com', 'example.org', 'example.de', 'mail.example.net']
const sources = ['hn', null, 'newsletter', 'producthunt', null, 'x.com']
const standingsShown = ['subscribed', 'subscribed', 'subscribed', 'unsubscribed', 'quarantined']

function row(i: number): PersonRow {
  const standing = i % 3 === 0 ? (standingsShown[i % 5] ?? 'subscribed') : 'subscribed'
  return {
    id: `row-${i}`,
    email: `${names[i % 10]}${i > 9 ? i : ''}@${domains[i % 4]}`,
    subscribedAt: NOW - i * i * 7 * MINUTE,
    standing,
    signs: standing === 'quarantined' ? ['too-quick', 'mailbox-aliases'] : [],
    source: sources[i % 6] ?? null,
    isImported: i % 6 === 4,
  }
}

const rows = (count: number) => Array.from({ length: count }, (_, i) => row(i))

const list: PeoplePage = {
  page: 'people',
  hasReferrals: false,
  isAsking: false,
  choices: [],
  isLater: false,
  done: null,
  note: null,
  beside: null,
  filter: { text: '', standing: '', source: '', answer: '', since: '', until: '' },
  standings: 'subscribed pending quarantined unsubscribed bounced complained'.split(' '),
  sources: ['hn', 'newsletter', 'producthunt'],
  people: rows(50),
  found: 100_000,
  isMore: false,
  next: '1-1',
}

const held = rows(12).map((one) => ({
  ...one,
  standing: 'quarantined',
  source: null,
  signs: ['hidden-field', 'network-share'],
}))

const hostile: PersonRow[] = [
  `"<b>bold</b> & 'quoted'"@example.com`,
  `"=cmd|' /c calc'!a1"@example.com`,
  `${'very.long.'.repeat(18)}name@a-domain-that-is-longer-than-most.example.com`,
  'שלום.עולם@example.com',
  '🚀🚀🚀🚀@example.com',
  '名前@example.com',
  `z${'\u0335\u0322\u0321\u0334'.repeat(12)}algo@example.com`,
].map((email, i) => ({
  ...row(i),
  email,
  standing: 'quarantined',
  signs: ['too-quick'],
  source: 'w'.repeat(63),
}))

const moment = (days: number, title: string, more: Partial<Moment> = {}): Moment => ({
  at: NOW - days * DAY,
  title,
  mark: '',
  lines: [],
  quote: null,
  ...more,
})

const fresh: PersonPage = {
  page: 'person',
  id: 'row-1',
  email: 'ada.lovelace@example.com',
  isListed: true,
  isImported: false,
  standing: 'subscribed',
  summary: 'On the list, and told of everything.',
  signs: [],
  source: [['source', 'hn']],
  language: null,
  firstName: null,
  answer: null,
  confirmedAt: null,
  subscribedAt: NOW - 4 * MINUTE,
  mayUnsubscribe: true,
  mayRelease: false,
  done: null,
  moments: [moment(4 / 1440, 'Signed up', { mark: 'subscribed' })],
}

const long: PersonPage = {
  ...fresh,
  standing: 'bounced',
  confirmedAt: NOW - 41.9 * DAY,
  subscribedAt: NOW - 42 * DAY,
  summary: 'Not written to: their mail server refused a letter for good.',
  source: [
    ['source', 'newsletter-april'],
    ['medium', 'email'],
    ['campaign', 'the opening of the year, as announced in spring'],
  ],
  mayUnsubscribe: false,
  moments: [
    moment(1, 'Bounced', {
      mark: 'bounced',
      quote: '550 5.1.1 The email account that you tried to reach does not exist.',
    }),
    moment(1.001, 'Letter “we-are-open” could not be sent', {
      mark: 'failed',
      lines: ['After 3 tries'],
      quote: '550 5.1.1 User unknown',
    }),
    moment(9, 'Letter “one-more-week” was not sent', {
      mark: 'suppressed',
      lines: ['Left out: mailbox has three'],
    }),
    moment(20, 'Letter “a-first-look” was sent', { mark: 'sent', quote: '250 2.0.0 OK queued' }),
    moment(41.9, 'Confirmed', { mark: 'confirmed', lines: ['By the button of the letter'] }),
    moment(42, 'Was asked to confirm', {
      lines: [
        'Letter <0f6c2f1e-8c5b-4a4e@example.com>',
        'Its digest 7b1c5a0fe0d24bb1',
        'On page a1b2c3d4, in language en, they read:',
      ],
      quote: 'Coming Soon | Be the first to know | Notify Me',
    }),
    moment(42, 'Signed up', { mark: 'subscribed' }),
  ],
}

const quarantined: PersonPage = {
  ...fresh,
  email: 'k9x2q@mailbox.example',
  standing: 'quarantined',
  source: [],
  summary: 'On the list, and not written to: they came with signs of a robot.',
  signs: ['hidden-field', 'network-share'],
  mayRelease: true,
  moments: [
    moment(4 / 1440, 'Quarantined', {
      mark: 'quarantined',
      lines: ['Signs of a robot: hidden-field, network-share'],
    }),
    moment(4 / 1440, 'Signed up', { mark: 'subscribed' }),
  ],
}

const erased = [
  'The address, everywhere in the store: its bytes are overwritten.',
  'When they signed up, where from, and the receipt of their consent.',
  'Their name in every announcement: its rows stay, and lead to nobody.',
]
const stays = [
  'A keyed hash of the address, so that no import can bring it back.',
  'Back-ups and exports from before: they still have it.',
]

const problem: ProblemPage = {
  page: 'problem',
  title: 'The database cannot be reached',
  text: 'Nothing can be read or written now. Try again.',
}

/** Every state of the list and of a person. */
const pages: Readonly<Record<string, DeskPage>> = {
  'list-empty': { ...list, people: [], found: 0, next: null },
  'list-100000': list,
  'list-found': {
    ...list,
    filter: { ...list.filter, text: 'example.de' },
    next: null,
    people: rows(40).filter(({ email }) => email.includes('example.de')),
    found: 10,
  },
  'list-no-match': {
    ...list,
    people: [],
    found: 0,
    next: null,
    filter: { ...list.filter, text: 'nobody@', standing: 'bounced' },
  },
  'list-beside': {
    ...list,
    people: [],
    found: 0,
    next: null,
    filter: { ...list.filter, text: 'eve@example.com' },
    beside: {
      id: 'row-9',
      email: 'eve@example.com',
      how: 'Asked to be told, and has not confirmed yet.',
      isListed: false,
    },
  },
  'list-quarantined': {
    ...list,
    people: held,
    found: 12,
    next: null,
    filter: { ...list.filter, standing: 'quarantined' },
    done: {
      isDone: true,
      title: '3 released',
      text: 'They may be mailed, and keep the time of their sign-up.',
    },
  },
  'list-hostile': { ...list, people: hostile, found: hostile.length, next: null },
  'person-fresh': fresh,
  'person-long': long,
  'person-quarantined': quarantined,
  'person-hostile': {
    ...long,
    email: hostile[2]?.email ?? '',
    source: [['source', 'w'.repeat(64)]],
    moments: [
      moment(1, 'Bounced', { mark: 'bounced', quote: `550 ${'x'.repeat(190)} </script><b>` }),
      moment(1, `Letter “${'a'.repeat(60)}” was sent`, { mark: 'sent', quote: 'ש'.repeat(90) }),
    ],
  },
  'person-unsubscribed': {
    ...fresh,
    standing: 'unsubscribed',
    mayUnsubscribe: false,
    summary: 'Not written to: they unsubscribed.',
    done: {
      isDone: true,
      title: 'Unsubscribed',
      text: 'No letter reaches them any more, unless they sign up again.',
    },
    moments: [moment(0, 'Unsubscribed', { mark: 'unsubscribed' }), ...fresh.moments],
  },
  'person-forgotten': { page: 'forgotten', at: NOW, isDone: true },
  forget: {
    page: 'forget',
    people: [{ id: 'row-1', email: fresh.email }],
    isQuarantine: false,
    erased,
    stays,
  },
  'forget-selected': {
    page: 'forget',
    people: held,
    isQuarantine: true,
    erased,
    stays,
  },
  'store-away': problem,
}

const sizes = [
  { width: 360, height: 800 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
]

/** Takes pictures of the desk's list and of its pages of people, as they stand without script. */
export async function shootDeskPeople(browser: Browser, folder: string): Promise<void> {
  const desk = site.desk
  const files = JSON.parse(readFileSync(join(desk, 'files.json'), 'utf8')) as DeskFiles
  const { renderPage } = (await import(
    pathToFileURL(join(process.cwd(), desk, 'server/render.js')).href
  )) as { renderPage: RenderDesk }
  const { name } = product
  const logo = logoOn(product, 'dark')
  const shell: DeskShell = {
    tool: 'bin/opening-bell',
    path: '/desk/people',
    csrf: 'token',
    events: '',
    now: NOW,
    zone: 'Europe/Berlin',
    product: { name, logo, accent: accentOf(product, BLACK) },
  }
  for (const viewport of sizes)
    for (const [state, page] of Object.entries(pages)) {
      const context = await browser.newContext({ viewport, javaScriptEnabled: false })
      const tab = await context.newPage()
      await tab.route('**', (route) => {
        const { pathname } = new URL(route.request().url())
        if (pathname === '/')
          return route.fulfill({
            contentType: 'text/html',
            body: renderPage({ shell, page }, files, ''),
          })
        const path = pathname.startsWith('/desk/')
          ? join(desk, pathname.slice('/desk/'.length))
          : join(site.public, pathname)
        return route.fulfill({ path })
      })
      await tab.goto(ORIGIN)
      await tab.screenshot({
        path: `${folder}/${viewport.width}x${viewport.height}-desk-${state}.png`,
        animations: 'disabled',
      })
      await context.close()
    }
}
