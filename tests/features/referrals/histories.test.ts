/** @module-tag thorough */
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { friendCodes } from '../../../src/features/referrals/codes.ts'
import { readReferrals } from '../../../src/features/referrals/count-friends.ts'
import { letDay } from '../../../src/features/referrals/rules.ts'
import { confirmationKeys } from '../../../src/keys/confirmation-keys.ts'
import { letterRule } from '../../../src/people/letter-rule.ts'
import { confirmPath } from '../../../src/shared/api.ts'
import { openApp, openSince, subscribe } from '../../fixtures/app.ts'
import { answer } from '../../fixtures/confirming.ts'
import { ids, linkKey } from '../../fixtures/keys.ts'
import { restoreKnown } from '../../fixtures/restored.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { amount, chance, report, seed } from '../../torture/form.ts'
import { people } from '../../torture/robots.ts'

const OF_A_KIND = amount(40, 200)
const OWNERS = amount(20, 100)
const ROUNDS = amount(1, 10)
const AT_ONCE = 16
const MINUTE_MS = 60_000
const popular = 'popular@example.com'

/** Somebody who signs up by a link, or by none. */
interface Visitor {
  readonly email: string
  /** Whose link it is. */
  readonly by?: string
  readonly answers: boolean
  readonly kind: string
}

/** Fakes that look as people do: no sign of a robot is to help. */
const kinds: Readonly<Record<string, (i: number) => Visitor[]>> = {
  'aliases of one mailbox': (i) => [
    {
      email: `owner.${i % 10}+${i}@gmail.com`,
      by: `owner${i % 10}@gmail.com`,
      ...fake('aliases of one mailbox'),
    },
  ],
  'their own address': (i) => [
    {
      email: `own${i % 50}@${i % 2 ? 'gmail.com' : 'googlemail.com'}`,
      by: `own${i % 50}@gmail.com`,
      ...fake('their own address'),
    },
  ],
  'two who bring each other': (i) => {
    const [one, other] = [`one${i >> 1}@example.net`, `other${i >> 1}@example.org`]
    const back = one.replace('@', '+again@')
    const kind = fake('two who bring each other')
    return [i % 2 ? { email: other, by: one, ...kind } : { email: back, by: other, ...kind }]
  },
  'many mailboxes of their own to a link': (i) => [
    {
      email: `box${i}@evil${i % 7}.example`,
      by: `buyer${Math.floor(i / 50)}@example.com`,
      ...fake('many mailboxes of their own to a link'),
    },
  ],
  'made-up addresses, which answer nothing': (i) => [
    {
      email: `nobody${i}@company${i}.example`,
      by: `owner${i % 10}@gmail.com`,
      ...fake('made-up addresses, which answer nothing'),
      answers: false,
    },
  ],
}

function fake(kind: string) {
  return { kind, answers: true }
}

async function openTarget() {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  const { app } = await openApp({
    store,
    suppressions: store.standings,
    requests: store.requests,
    features: { referrals: true },
    trustProxy: ['loopback'],
  })
  onTestFinished(() => store.close())
  const keys = confirmationKeys(linkKey)
  const codes = friendCodes(linkKey)
  const decide = letterRule(() => ({ messageId: '<one@example.com>', letterDigest: 'a digest' }))

  async function signUp({ email, by }: Visitor, random: () => number) {
    const code = by && codes.of(ids.of(by))
    const from = people(0, random).from
    const headers = {
      ...openSince(60_000),
      'x-forwarded-for': from,
      ...(code && { referer: `http://localhost/?by=${code}&ref=friend-copy` }),
    }
    return (await subscribe(app, headers, email)).statusCode
  }

  /** Sends every letter, as time passes, and has those answer who do. */
  async function answerLetters(visitors: readonly Visitor[]) {
    const silent = new Set(visitors.filter((one) => !one.answers).map(({ email }) => email))
    while ((await store.requests.counts()).waiting > 0) {
      const { letters } = await store.requests.claimLetters(50, MINUTE_MS, decide)
      await store.requests.settleLetters(letters.map(({ request }) => ({ request })))
      for (const { request, pending } of letters) {
        if (silent.has(request.email)) continue
        const token = keys.sign(request.addressId, pending.askedAt)
        expect((await answer(app, `${confirmPath}/${token}`, { answer: 'yes' })).page).toBe('done')
      }
      if (letters.length === 0) vi.setSystemTime(Date.now() + 5 * MINUTE_MS)
    }
  }
  return { store, signUp, answerLetters }
}

it('of fake friends of five kinds hardly one counts, and every ordinary one does', {
  timeout: amount(120_000, 1_800_000),
}, async (context) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const total = { fakes: 0, credited: 0, ordinary: 0, lost: 0, held: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = chance(seed + round)
    vi.setSystemTime(Date.UTC(2026, 10, 20 + round, 0, 10))
    const { store, signUp, answerLetters } = await openTarget()
    const fakes = Object.values(kinds).flatMap((kind) =>
      Array.from({ length: OF_A_KIND }, (_, i) => kind(i)).flat(),
    )
    const person = (i: number): Visitor => ({
      email: people(i, random).email,
      kind: 'people',
      answers: true,
    })
    const owners = Array.from({ length: OWNERS }, (_, i) => person(i))
    const friends = owners.flatMap(({ email: by }, i) =>
      Array.from({ length: Math.floor(random() * 8) }, (_, n) => ({
        ...person(1000 + 10 * i + n),
        by,
      })),
    )
    const crowd = Array.from({ length: 15 }, (_, n) => ({ ...person(5000 + n), by: popular }))
    const ownersOfFakes = fakes.flatMap(({ by }) => by ?? [])
    const first = [...new Set([...owners.map(({ email }) => email), ...ownersOfFakes, popular])]
      // The other one of two comes by a link.
      .filter((email) => !email.startsWith('other'))
      .map((email) => ({ email, kind: 'people', answers: true }))
    const inOrder = <T>(all: readonly T[]) =>
      all
        .map((one) => ({ one, at: random() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ one }) => one)
    // The other one has a link before somebody can come back by it.
    const isBack = ({ email }: Visitor) => email.includes('+again@')
    const others = [...fakes, ...friends, ...crowd]
    const waves = [first, others.filter((one) => !isBack(one)), others.filter(isBack)]
    for (const wave of waves) {
      const waiting = inOrder(wave)
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let next = waiting.shift(); next; next = waiting.shift())
            expect(await signUp(next, random), next.kind).toBe(201)
        }),
      )
      await answerLetters(wave)
    }

    const { counts } = await readReferrals(store, ids.of)
    const creditsOf = async (emails: readonly string[]) => {
      const { referred } = await readReferrals(store, ids.of)
      return [...new Set(emails)].reduce((sum, email) => sum + (referred.get(email) ?? 0), 0)
    }
    const fakeCredits = await creditsOf([...ownersOfFakes, ...fakes.map(({ email }) => email)])
    const ordinary = await creditsOf(owners.map(({ email }) => email))
    expect(await creditsOf([popular])).toBe(0)
    const day = counts.heldDays.find(({ email }) => email === popular)?.day ?? ''
    await restoreKnown(store, [{ addressId: ids.of(popular), extra: letDay(day) }])
    expect(await creditsOf([popular])).toBe(crowd.length)
    total.fakes += fakes.length
    total.credited += fakeCredits
    total.ordinary += friends.length + crowd.length
    total.lost += friends.length - ordinary
    total.held += counts.held
    console.log(
      `referrals: ${fakeCredits} of ${fakes.length} fakes count, ${ordinary} of ${friends.length} ordinary; ${JSON.stringify({ ...counts, bringers: undefined })}`,
    )
    await store.close()
  }
  const { fakes, credited, ordinary, lost, held } = total
  report(context, {
    done: 'fake friends of five kinds, by personal links',
    times: fakes,
    result: `${((100 * credited) / fakes).toFixed(1)} % count, ${held} held for the operator; every sign-up thanked`,
  })
  report(context, { done: 'ordinary friends among them', times: ordinary, result: `${lost} lost` })
  expect(credited / fakes).toBeLessThan(0.01)
  expect(lost).toBe(0)
})
