/** @module-tag long */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import product from '../../product.config.ts'
import type { CameGroup } from '../../src/features/came/who-came.ts'
import { friendCodes } from '../../src/features/referrals/codes.ts'
import { addressIds } from '../../src/keys/address-id.ts'
import { answerTokens } from '../../src/keys/answer-tokens.ts'
import { confirmationKeys } from '../../src/keys/confirmation-keys.ts'
import { letterRule } from '../../src/people/letter-rule.ts'
import { confirmPath } from '../../src/shared/api.ts'
import { isReply } from '../../src/shared/reply.ts'
import { openApp, openSince, subscribe } from '../fixtures/app.ts'
import { answer } from '../fixtures/confirming.ts'
import { type Home, homeOnFile } from '../fixtures/home.ts'
import { launchPad } from '../fixtures/launch-pad.ts'
import { copyProject } from '../fixtures/project-copy.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { amount, chance, report, seed } from './form.ts'

const PEOPLE = amount(40, 300)
const FAKES = amount(40, 1000)
const DAY = 86_400_000
const CODES = ['80331', '80469', '81541', '10115']
const question = { ask: 'Your postcode?', kind: 'postcode' } as const

/** What the founder should be told of each person. */
interface Modelled {
  readonly email: string
  readonly by?: string | undefined
  readonly said?: string | undefined
}

it('of a day with questions, friends and fakes, the commands say what a model says', {
  timeout: amount(240_000, 3_600_000),
}, async (context) => {
  const random = chance(seed)
  const home = homeOnFile()
  const root = tempDir()
  copyProject(root, { ...product, question })
  // The letter goes to those from before it.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3 * DAY })
  onTestFinished(() => void vi.useRealTimers())
  const visit = await visitorsOf(home)

  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
  const emailOf = (i: number) => `person${i}@host${i}.example`
  const owners = Array.from({ length: PEOPLE / 4 }, (_, i) => emailOf(i))
  const everybody: Modelled[] = Array.from({ length: PEOPLE }, (_, i) => ({
    email: emailOf(i),
    // A handful for each: the eleventh of a day would hold it.
    by: i >= owners.length && random() < 0.5 ? owners[i % owners.length] : undefined,
    said: random() < 0.6 ? pick(CODES) : undefined,
  }))
  await visit(everybody.slice(0, owners.length))
  await visit([{ email: 'evil@gmail.com' }])
  await visit(everybody.slice(owners.length))
  const isAlias = (i: number) => i % 2 === 0
  const fakes = Array.from({ length: FAKES }, (_, i) => ({
    email: isAlias(i) ? `evil+${i}@gmail.com` : `nobody${i}@company${i}.example`,
    by: 'evil@gmail.com',
  }))
  await visit(fakes, (email) => email.startsWith('evil'))
  vi.useRealTimers()

  const referred = Map.groupBy(
    everybody.filter(({ by }) => by),
    ({ by = '' }) => by,
  )
  const friends = [...referred.values()].reduce((sum, all) => sum + all.length, 0)
  const answered = everybody.filter(({ said }) => said)
  const pad = await launchPad(0, { home, root })
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await pad.run([...args, '--json'])
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  expect(await json('referrals')).toMatchObject({ credited: friends, held: 0 })
  expect(await json('answers')).toMatchObject({ answered: answered.length })
  expect((await json('status')).answered).toBe(answered.length)

  // Those who referred somebody first, and then those of one part of the town.
  const first = await pad.announce('--order', 'referrals', '--first', String(referred.size))
  expect(first.code, first.stderr).toBe(0)
  expect(pad.relay.read.toSorted()).toEqual([...referred.keys()].sort())
  const munich = join(tempDir(), 'munich.md')
  writeFileSync(munich, '---\nsubject: Munich\nfrom: The team <team@example.org>\n---\nHello.\n')
  const before = pad.relay.read.length
  const more = ['--also-who-got', 'all', '--rate', '1000', '--dns-server', pad.dns.server]
  const second = await pad.run(['announce', munich, '--answered', '80', ...more])
  expect(second.code, second.stderr).toBe(0)
  const inMunich = everybody.filter(({ said = '' }) => isReply(said, '80', question.kind))
  expect(pad.relay.read.slice(before).toSorted()).toEqual(inMunich.map(({ email }) => email).sort())

  const told = new Set(pad.relay.read)
  const came = new Set([...told].filter(() => random() < 0.5))
  const accounts = join(tempDir(), 'accounts.csv')
  const now = new Date().toISOString()
  const rows = [...came, 'stranger@example.com'].map((email) => `${email},${now}`)
  writeFileSync(accounts, ['email,created_at', ...rows, ''].join('\n'))
  expect((await pad.run(['came', accounts])).code).toBe(0)
  const by = (nameOf: (one: Modelled) => string | undefined) =>
    Object.fromEntries(
      [
        ...Map.groupBy(
          everybody.filter(({ email }) => told.has(email)),
          nameOf,
        ),
      ].map(([name, all]) => [
        name ?? '-',
        { told: all.length, came: all.filter(({ email }) => came.has(email)).length },
      ]),
    )
  const named = (groups: readonly CameGroup[]) =>
    Object.fromEntries(groups.map(({ name = '-', ...counts }) => [name, counts]))
  const figures = await json('came')
  expect(figures).toMatchObject({ told: told.size, came: came.size })
  expect(named(figures.answers)).toEqual(by(({ said }) => said))
  if (everybody.some(({ email, by }) => by && told.has(email)))
    expect(named(figures.friends)).toEqual(by(({ by }) => by && 'a friend'))

  report(context, {
    done: `a founder's day with questions, friends and fakes`,
    times: PEOPLE + FAKES,
    result: `${answered.length} answers, ${friends} friends, ${told.size} told and ${came.size} users are what a model says (seed ${seed})`,
  })
})

/** Visitors of a page with all of it, who confirm and answer. @returns signs some of them up. */
async function visitorsOf({ store, linkKey }: Home) {
  const { app } = await openApp({
    store,
    suppressions: store.standings,
    linkKey,
    requests: store.requests,
    features: { referrals: true },
    asking: {
      answers: store.answers,
      tokens: answerTokens(linkKey),
      askIn: () => ({ asked: question, first: question }),
    },
    trustProxy: ['loopback'],
  })
  const [ids, keys, codes] = [addressIds(linkKey), confirmationKeys(linkKey), friendCodes(linkKey)]
  const decide = letterRule(() => ({ messageId: '<one@example.com>', letterDigest: 'a digest' }))
  let visitors = 0

  return async (some: readonly Modelled[], answers: (email: string) => boolean = () => true) => {
    const modelled = new Map(some.map((one) => [one.email, one]))
    for (const { email, by } of some) {
      visitors += 1
      const headers = {
        ...openSince(60_000),
        'x-forwarded-for': `198.${18 + (visitors >> 16)}.${(visitors >> 8) & 255}.${visitors & 255}`,
        ...(by && { referer: `http://localhost/?by=${codes.of(ids.of(by))}&ref=friend-copy` }),
      }
      expect((await subscribe(app, headers, email)).statusCode, email).toBe(201)
    }
    for (let isMore = true; isMore; ) {
      const claimed = await store.requests.claimLetters(50, 60_000, decide)
      await store.requests.settleLetters(claimed.letters.map(({ request }) => ({ request })))
      for (const { request, pending } of claimed.letters) {
        if (!answers(request.email)) continue
        const url = `${confirmPath}/${keys.sign(request.addressId, pending.askedAt)}`
        expect((await answer(app, url, { answer: 'yes' })).page).toBe('done')
        const { said } = modelled.get(request.email) ?? {}
        if (said) expect((await answer(app, url, { said })).page).toBe('answered')
      }
      isMore = claimed.isMore
    }
  }
}
