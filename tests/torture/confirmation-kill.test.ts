/** @module-tag thorough */
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { friendCodes } from '../../src/features/referrals/codes.ts'
import { unsubscribeTokens } from '../../src/keys/unsubscribe-token.ts'
import { smtpMailer } from '../../src/mail/smtp-mailer.ts'
import { paths } from '../../src/shared/api.ts'
import { announced } from '../fixtures/announced.ts'
import { askedIn } from '../fixtures/asked-in.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { ownPort } from '../fixtures/own-port.ts'
import { startRelay } from '../fixtures/relay.ts'
import { type RunningSite, startSite } from '../fixtures/running-site.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { quick, quiet } from '../fixtures/stage.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { crowd, signIn, signUp } from './crowd.ts'
import { amount, chance, isLong, report, seed } from './form.ts'

const KILLS = amount(3, 200)
/** After so many, it starts with an empty folder again. */
const KILLS_OF_ONE_FILE = amount(3, 20)
const LONGEST_LIFE_MS = 1500
const LEAST_THANKED = 5
const MORE_THANKED = 150
/** For what the owners of addresses do meanwhile. */
const LONGEST_PRESS_MS = 300
const MOST_LETTERS = 3
const PUBLIC_URL = `http://127.0.0.1:${ownPort}`

const post = (path: string, body?: URLSearchParams) =>
  fetch(PUBLIC_URL + path, { method: 'POST', ...(body && { body }) })
    .then(({ status }) => status)
    .catch(() => undefined)

type State = 'confirmed' | 'left' | 'forgotten' | 'unsure'

it('nobody who was thanked is lost, gets a fourth letter or is written to unasked, though the server is killed', {
  timeout: amount(150_000, 3_600_000),
}, async (context) => {
  const random = chance(seed)
  const root = copyOfServer({ confirm: true })
  const relay = await startRelay()
  onTestFinished(() => relay.close())
  const env = {
    CONFIRM: 'on',
    REFERRALS: 'on',
    SMTP_URL: relay.url,
    MAIL_FROM: 'hello@example.com',
    LOG_LEVEL: 'warn',
    LINK_KEY: linkKey.toString(),
  }
  let site: RunningSite | undefined
  onTestFinished(() => site?.stop())
  const thanked = new Set<string>()
  const states = new Map<string, State>()
  const inState = (state: State) =>
    [...states].flatMap(([email, theirs]) => (theirs === state ? [email] : []))
  /** From which letter on those count who were forgotten: they are strangers. */
  const strangerSince = new Map<string, number>()
  /** Whose personal link the others come by. */
  let host = ''
  /** Who came by nobody's: the host, and those who came back. */
  const withoutLink = new Set<string>()
  let [everThanked, told, left, forgotten, cameBack, credited] = [0, 0, 0, 0, 0, 0]
  for (let n = 0; n < KILLS; n++) {
    if (site && n % KILLS_OF_ONE_FILE !== 0) await site.restart()
    else {
      await site?.stop()
      site = await startSite({ root, port: ownPort, env: { ...env, PUBLIC_URL } })
      thanked.clear()
      states.clear()
      host = `host-${n}@example.com`
      await confirm(host)
      withoutLink.add(host)
    }
    const url = PUBLIC_URL
    const referer = `${url}/?by=${friendCodes(linkKey).of(ids.of(host))}`
    const visitors = crowd(url, `life-${n}`, 8, { referer })
    const before = relay.accepted.length
    // One life ends at any time, the next in the midst of sign-ups.
    if (n % 2 === 0) await sleep(random() * LONGEST_LIFE_MS)
    else await visitors.thanks(LEAST_THANKED + random() * MORE_THANKED)
    const busy = owners(relay.accepted.slice(Math.max(0, before - 5)).map(({ to }) => to))
    // Some of their presses are cut short, too.
    await sleep(random() * LONGEST_PRESS_MS)
    await site.kill()
    await visitors.stop()
    await busy
    for (const email of visitors.thanked) thanked.add(email)
    everThanked += visitors.thanked.length
    const { waiting, pending, listed, brought } = whatIsKept(site.databaseFile, host)
    const lost = [...thanked].filter((email) => !waiting.has(email) && !pending.has(email))
    expect(lost, `kill ${n}, seed ${seed}`).toEqual([])
    for (const [email, letters] of pending) expect(letters, email).toBeLessThanOrEqual(MOST_LETTERS)
    expect(inState('confirmed').filter((email) => !listed.has(email))).toEqual([])
    const friends = inState('confirmed').filter((email) => !withoutLink.has(email))
    expect(friends.filter((email) => !brought.has(ids.of(email)))).toEqual([])
    expect([...listed].filter((email) => !states.has(email))).toEqual([])
    expect(inState('forgotten').filter((email) => listed.has(email))).toEqual([])
    if ((n + 1) % KILLS_OF_ONE_FILE === 0 || n + 1 === KILLS) {
      const reached = await announceTo(site.databaseFile)
      const sure = new Set(inState('confirmed'))
      expect(reached.filter((email) => states.get(email) !== 'unsure').toSorted()).toEqual(
        [...sure].toSorted(),
      )
      expect(new Set(reached).size, 'once').toBe(reached.length)
      told += reached.length
      credited += brought.size
    }
  }

  async function confirm(email: string) {
    expect((await signUp(PUBLIC_URL, await signIn(PUBLIC_URL), email)).status).toBe(201)
    await expect.poll(() => relay.accepted.map(({ to }) => to)).toContain(email)
    expect(await sayYes(email)).toBe(200)
    states.set(email, 'confirmed')
  }

  /** Presses the button behind the link in the letter to this address. */
  async function sayYes(email: string) {
    const { text = '' } = await relay.messageTo(email)
    const [link = ''] = /\/confirm\/[\w-]+/.exec(text) ?? []
    return post(link, new URLSearchParams({ answer: 'yes' }))
  }

  /** Some who have a letter answer it; of those who did, one leaves, one is forgotten, and both come back. */
  async function owners(asked: readonly string[]) {
    const file = (site as RunningSite).databaseFile
    const [leaves, isForgotten] = inState('confirmed').filter((email) => email !== host)
    const answering = asked.filter((email) => !states.has(email)).slice(0, 3)
    for (const email of answering) {
      states.set(email, 'unsure')
      if ((await sayYes(email)) === 200) states.set(email, 'confirmed')
    }
    if (leaves) {
      states.set(leaves, 'unsure')
      const token = unsubscribeTokens(linkKey).sign(ids.of(leaves))
      if ((await post(`${paths.unsubscribe}/${token}`)) === 200) {
        states.set(leaves, 'left')
        left += 1
      }
    }
    if (isForgotten) {
      const store = sqliteStore({ file, appId: product.appId, addressIds: ids, log: () => {} })
      await store.standings.forget(isForgotten).finally(() => store.close())
      states.set(isForgotten, 'forgotten')
      thanked.delete(isForgotten)
      strangerSince.set(isForgotten, relay.accepted.length)
      forgotten += 1
    }
    // They are asked again, and stay as they are until they confirm.
    for (const email of [leaves, isForgotten]) {
      if (!email) continue
      withoutLink.add(email)
      const answer = await signIn(PUBLIC_URL)
        .then((headers) => signUp(PUBLIC_URL, headers, email))
        .catch(() => undefined)
      if (answer?.status !== 201) continue
      thanked.add(email)
      cameBack += 1
    }
  }
  const letters = new Map<string, number>()
  for (const [i, { to }] of relay.accepted.entries())
    if (i >= (strangerSince.get(to) ?? 0)) letters.set(to, (letters.get(to) ?? 0) + 1)
  const most = Math.max(...letters.values(), 0)
  expect(most).toBeLessThanOrEqual(MOST_LETTERS)
  expect(everThanked).toBeGreaterThan(KILLS)
  // Three lives may be too short for it.
  if (isLong) expect(Math.min(told, left, forgotten, cameBack, credited)).toBeGreaterThan(0)
  report(context, {
    done: 'kill -9 of a server that asks for confirmation, under load',
    times: KILLS,
    result: `0 of ${everThanked.toLocaleString('en')} thanked were lost, at most ${most} of 3 letters to one, ${told} who confirmed were told once, and nobody else; each of ${credited} friends counts for who brought them; ${left} had left, ${forgotten} were forgotten, ${cameBack} came back (seed ${seed})`,
  })
})

/** Announces to whoever is in the file. @returns whom the mail server said yes for, each time. */
async function announceTo(file: string): Promise<string[]> {
  const relay = await startRelay()
  const mailer = smtpMailer({
    url: relay.url,
    timeouts: { connect: 20_000, silence: 20_000, message: 20_000 },
  })
  const store = sqliteStore({ file, appId: product.appId, addressIds: ids, log: () => {} })
  try {
    // As the command does: whoever waits before others would make these new to it.
    await store.inbox.takeInAll()
    const { why } = await announced({
      store,
      mailer,
      id: 'launch',
      on: quiet,
      retryPolicy: quick,
      rate: { letters: 1e6, ms: 1000 },
      stopShare: 1,
      message: ({ email }) => ({
        to: email,
        from: 'hello@example.com',
        replyTo: undefined,
        subject: 'We are live',
        html: '<p>Come in</p>',
        text: 'Come in',
        headers: {},
        pictures: [],
        messageId: `<${randomUUID()}@example.com>`,
      }),
      letter: { subject: 'We are live', digest: 'one' },
      signal: new AbortController().signal,
    })
    expect(why).toBe('done')
    return relay.accepted.map(({ to }) => to)
  } finally {
    mailer.close()
    await relay.close()
    await store.close()
  }
}

function whatIsKept(file: string, host: string) {
  const db = new DatabaseSync(file)
  const column = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map(({ value }) => String(value))
  const { waiting, pending: rows } = askedIn(db)
  const listed = new Set(column('SELECT email AS value FROM subscribers'))
  const brought = new Set(
    column(
      `SELECT id AS value FROM persons WHERE data ->> '$.fields.referral.by' = '${ids.of(host)}'`,
    ),
  )
  db.close()
  const letters = new Map(rows.map((one) => [one.email, one.letters]))
  return { waiting, listed, brought, pending: letters }
}
