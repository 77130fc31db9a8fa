import { expect } from 'vitest'
import type { Store } from '../../../../src/store/store.ts'
import { ids } from '../../../fixtures/keys.ts'

/** All that a store holds, as its port tells it. */
export async function contentOf(store: Store) {
  const [subscribers, deliveries] = [[] as unknown[], [] as unknown[]]
  for await (const one of store.list.stream({ standing: 'all' })) subscribers.push(one)
  const announcements = await store.ledger.announcements()
  for (const { id } of announcements)
    for await (const delivery of store.ledger.deliveries(id)) deliveries.push(delivery)
  const standings = await Promise.all(
    ['left', 'gone', 'never-here', 'queued'].map((name) =>
      store.standings.of(`${name}@example.com`),
    ),
  )
  const long = new Date(0)
  const visits = { hours: await store.visits.since(long), names: await store.visits.names(long) }
  const sources = await store.visits.signUpNames(long)
  const { passkeys } = await store.desk.read()
  const notices = await store.notices.changePlace('webhook:somewhere', (place, waiting) => ({
    result: { place, waiting },
  }))
  const opening = await store.opening.get()
  const invitations = { key: await store.invitations.key(), all: [] as unknown[] }
  for await (const one of store.invitations.stream()) invitations.all.push(one)
  const { types } = (await store.events.feed()) ?? {}
  const waiting = (await store.events.waiting(9)).map(({ queue: { email, events } }) => ({
    email,
    events: events.map(({ type }) => type),
  }))
  const { imported } = await store.growth.since(long)
  const brought: string[] = []
  for await (const { email, broughtBy } of store.outbox.pending())
    if (broughtBy) brought.push(email)
  await store.outbox.claimLetters(99, 0, ({ email, broughtBy }, _found, now) => {
    if (broughtBy) brought.push(email)
    return { dueAt: now }
  })
  return {
    subscribers,
    imported,
    brought: brought.toSorted(),
    announcements,
    deliveries,
    standings,
    visits,
    sources,
    passkeys,
    notices,
    opening,
    invitations,
    events: { types, waiting: waiting.toSorted((a, b) => (a.email ? -1 : 1) - (b.email ? -1 : 1)) },
  }
}

const at = (day: number) => new Date(Date.UTC(2026, 0, day, 9, 30, 0, 123))
const madeAt = expect.any(Date) as unknown
const one = (name: string, day: number, more = {}) => ({
  email: `${name}@example.com`,
  subscribedAt: at(day),
  standing: 'subscribed',
  ...more,
})
const delivery = (name: string | undefined, status: string, tries: number, more = {}) => ({
  announcement: 'launch',
  email: name && `${name}@example.com`,
  status,
  tries,
  answer: undefined,
  changedAt: madeAt,
  ...more,
})

const first = {
  brought: [] as string[],
  subscribers: [
    ...['sent', 'failed', 'uncertain', 'sending', 'retried'].map((name, i) => one(name, i + 1)),
    one('left', 6, { standing: 'unsubscribed', standingAt: madeAt }),
    one('queued', 8),
    { email: 'visitor@example.com', subscribedAt: madeAt, standing: 'subscribed' },
    { email: `"o'brien; --"@xn--mller-kva.example`, subscribedAt: madeAt, standing: 'subscribed' },
  ],
  announcements: [
    { id: 'begun-only', subject: 'Later', digest: 'another', eligible: undefined },
    { id: 'launch', subject: 'We are open', digest: 'a digest', eligible: 10 },
  ].map((one) => ({ ...one, begunAt: madeAt, cutOff: madeAt })),
  deliveries: [
    ...['sent', 'failed', 'uncertain'].map((status) =>
      delivery(status, status, 1, { answer: `said ${status}` }),
    ),
    delivery('sending', 'sending', 1),
    delivery('retried', 'queued', 1, { answer: '451 wait' }),
    delivery('left', 'suppressed', 0, { standing: 'unsubscribed' }),
    delivery(undefined, 'forgotten', 1),
    delivery('queued', 'queued', 0),
  ],
  standings: [
    { standing: 'unsubscribed', at: madeAt },
    { standing: 'forgotten', at: madeAt },
    { standing: 'forgotten', at: madeAt },
    undefined,
  ],
  visits: { hours: [] as unknown[], names: [] as unknown[] },
  sources: [] as unknown[],
  passkeys: [] as unknown[],
  notices: undefined as unknown,
  opening: undefined as unknown,
  invitations: { key: undefined as string | undefined, all: [] as unknown[] },
  events: { types: undefined as unknown, waiting: [] as unknown[] },
  // What an older version imported counts as the page's, as it did then.
  imported: 0,
}

const second = {
  ...first,
  subscribers: first.subscribers.toSpliced(
    7,
    0,
    one('bounced', 9, { standing: 'bounced', standingAt: at(13), detail: '550 5.1.1 no' }),
    one('complained', 10, {
      standing: 'complained',
      standingAt: at(12),
      detail: 'by a mail provider',
      extra: { 'First Name': 'Ada', tags: ['a', null, 1] },
    }),
    one('returned', 11),
  ),
}

const third = {
  ...second,
  subscribers: [
    ...second.subscribers,
    {
      email: 'confirmed@example.com',
      subscribedAt: madeAt,
      standing: 'subscribed',
      extra: {
        consent: {
          words: 'Be the first to know',
          page: 'a1b2c3',
          language: 'en',
          how: 'code',
          messageId: '<one@example.com>',
          letterDigest: 'a digest',
          askedAt: at(1).toISOString(),
          confirmedAt: at(2).toISOString(),
        },
      },
    },
  ],
}

const fourth = {
  ...third,
  subscribers: [
    ...third.subscribers,
    {
      email: 'robot@example.com',
      subscribedAt: madeAt,
      standing: 'quarantined',
      standingAt: madeAt,
      detail: 'hidden-field, too-quick',
    },
  ],
}

const fifth = {
  ...fourth,
  subscribers: [
    ...fourth.subscribers,
    { email: 'from-afar@example.com', subscribedAt: madeAt, standing: 'subscribed' },
  ],
  visits: {
    hours: [
      {
        hour: new Date(Date.UTC(2026, 0, 5, 9)),
        counts: { first: 3, return: 2, robot: 1, prefetch: 4 },
      },
    ],
    names: [
      { kind: 'source', name: 'hn', number: 2 },
      { kind: 'host', name: null, number: 1 },
    ],
  },
  sources: [
    { kind: 'campaign', name: 'launch', number: 1 },
    { kind: 'medium', name: 'social', number: 1 },
    { kind: 'source', name: 'hn', number: 1 },
  ],
}

const sixth = {
  ...fifth,
  passkeys: [
    {
      id: 'key',
      publicKey: 'public',
      counter: 7,
      transports: ['internal'],
      name: 'My phone',
      addedAt: 1,
      deviceId: 'a third',
    },
  ],
}

const told = new Date(Date.UTC(2026, 0, 6, 9))

const eighth = {
  ...sixth,
  notices: {
    // The milestones that the list had reached by then are told to nobody.
    place: { since: told.getTime(), toldTo: 2 },
    waiting: [
      {
        number: 3,
        type: 'day.ended',
        at: told,
        data: { signUps: 3 },
        id: expect.stringMatching(/^evt_[\w-]{22}$/),
      },
    ],
  },
}

const tenth = {
  ...eighth,
  opening: {
    url: 'https://app.example.com/',
    at: at(14),
    zone: 'Europe/Berlin',
    openedAt: at(15),
  },
}

const invited = (name: string, id: string, more = {}) => ({
  id,
  announcement: 'launch',
  email: `${name}@example.com`,
  addressId: expect.stringMatching(/^[\w-]{22}$/),
  issuedAt: at(22),
  expiresAt: at(29),
  ...more,
})

const eleventh = {
  ...tenth,
  invitations: {
    key: 'A'.repeat(43),
    all: [
      invited('sent', 'A'.repeat(22)),
      invited('queued', `${'A'.repeat(21)}Q`, { ended: { as: 'redeemed', at: at(24) } }),
    ],
  },
}

const twelfth = {
  ...eleventh,
  announcements: eleventh.announcements.map((one) => ({
    ...one,
    ...(one.id === 'launch' && {
      waves: {
        waves: '10%,100%',
        everyMs: 7_200_000,
        number: 1,
        target: 1,
        size: 1,
        isLast: false,
        before: { tried: 0, told: 0, failed: 0, left: 0 },
        begunAt: at(16),
        endedAt: at(17),
        nextAt: at(18),
      },
    }),
  })),
}

const fourteenth = {
  ...twelfth,
  subscribers: [
    ...twelfth.subscribers,
    {
      email: 'speaker@example.com',
      subscribedAt: madeAt,
      standing: 'subscribed',
      extra: { language: 'ar' },
    },
  ],
  deliveries: twelfth.deliveries.map((one) => ({
    ...one,
    ...(['sent', 'failed', 'uncertain'].includes(one.status) && { language: 'ar' }),
  })),
}

const fifteenth = {
  ...fourteenth,
  subscribers: [
    ...fourteenth.subscribers,
    { email: 'reported@example.com', subscribedAt: madeAt, standing: 'subscribed' },
  ],
  events: {
    types: ['subscribed', 'left', 'forgotten'],
    waiting: [
      { email: 'reported@example.com', events: ['subscribed'] },
      { email: undefined, events: ['forgotten'] },
    ],
  },
}

const sixteenth = {
  ...fifteenth,
  subscribers: fifteenth.subscribers.toSpliced(
    fifteenth.subscribers.findIndex(({ email }) => email === 'returned@example.com') + 1,
    0,
    one('robot-elsewhere', 25, {
      standing: 'quarantined',
      standingAt: at(27),
      detail: 'too-quick',
    }),
    one('met-before', 26),
  ),
  imported: 9,
}

const seventeenth = {
  ...sixteenth,
  subscribers: sixteenth.subscribers.map((one) =>
    one.email === 'speaker@example.com'
      ? {
          ...one,
          extra: {
            language: 'ar',
            referral: { by: ids.of('confirmed@example.com'), at: at(29).toISOString() },
          },
        }
      : one,
  ),
  brought: ['asked-and-brought@example.com', 'brought@example.com'],
}

/** What `make.ts` left in each version's file, as the newest has to tell it. */
export const made: Readonly<Record<string, typeof first>> = {
  'version-1.sqlite': first,
  'version-2.sqlite': second,
  'version-3.sqlite': third,
  'version-4.sqlite': fourth,
  'version-5.sqlite': fifth,
  'version-10.sqlite': tenth,
  'version-12.sqlite': twelfth,
  'version-13.sqlite': twelfth,
  'version-14.sqlite': fourteenth,
  'version-15.sqlite': fifteenth,
  'version-16.sqlite': sixteenth,
  'version-17.sqlite': seventeenth,
  'version-18.sqlite': seventeenth,
}
