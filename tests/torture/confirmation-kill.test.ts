/** @module-tag thorough */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { confirmationKeys } from '../../src/keys/confirmation-keys.ts'
import { pendingFrom } from '../../src/store/pending.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { startRelay } from '../fixtures/relay.ts'
import { type RunningSite, startSite } from '../fixtures/running-site.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { crowd } from './crowd.ts'
import { amount, chance, report, seed } from './form.ts'

const KILLS = amount(3, 200)
/** After so many, it starts with an empty folder again. */
const KILLS_OF_ONE_FILE = amount(3, 20)
const LONGEST_LIFE_MS = 1500
const MOST_LETTERS = 3

it('nobody who was thanked is lost, gets a fourth letter or is on the list unasked, though the server is killed', {
  timeout: amount(150_000, 3_600_000),
}, async (context) => {
  const random = chance(seed)
  const root = copyOfServer({ confirm: true })
  const keys = confirmationKeys(linkKey)
  const relay = await startRelay()
  onTestFinished(() => relay.close())
  const env = {
    ...{ CONFIRM: 'on', SMTP_URL: relay.url, MAIL_FROM: 'hello@example.com', LOG_LEVEL: 'warn' },
    ...{ LINK_KEY: linkKey.toString() },
  }
  const port = String(20_000 + (process.pid % 20_000))
  const publicUrl = `http://127.0.0.1:${port}`
  let site: RunningSite | undefined
  onTestFinished(() => site?.stop())
  let [thanked, confirmed]: [string[], Set<string>] = [[], new Set()]
  const tried = new Set<string>()
  let everThanked = 0
  for (let n = 0; n < KILLS; n++) {
    if (site && n % KILLS_OF_ONE_FILE !== 0) await site.restart()
    else {
      await site?.stop()
      site = await startSite({ root, port, env: { ...env, PUBLIC_URL: publicUrl } })
      ;[thanked, confirmed] = [[], new Set()]
    }
    const url = publicUrl
    const visitors = crowd(url, `life-${n}`, 8)
    const before = relay.accepted.length
    await sleep(random() * LONGEST_LIFE_MS)
    // Some of those who have a letter answer it.
    const answered = relay.accepted.slice(Math.max(0, before - 5)).map(({ to }) => to)
    for (const email of answered.slice(0, 3)) {
      const link = `${url}/confirm/${keys.sign(ids.of(email))}`
      const body = new URLSearchParams({ answer: 'yes' })
      const done = await fetch(link, { method: 'POST', body }).catch(() => undefined)
      if (done?.status === 200) confirmed.add(email)
    }
    await site.kill()
    await visitors.stop()
    thanked.push(...visitors.thanked)
    everThanked += visitors.thanked.length
    const { waiting, pending, listed } = whatIsKept(site.databaseFile)
    const lost = thanked.filter((email) => !waiting.has(email) && !pending.has(email))
    expect(lost, `kill ${n}, seed ${seed}`).toEqual([])
    for (const [email, letters] of pending) expect(letters, email).toBeLessThanOrEqual(MOST_LETTERS)
    expect([...confirmed].filter((email) => !listed.has(email))).toEqual([])
    // An answer whose server was killed may have counted.
    for (const email of answered) tried.add(email)
    expect([...listed].filter((email) => !tried.has(email))).toEqual([])
  }
  const letters = new Map<string, number>()
  for (const { to } of relay.accepted) letters.set(to, (letters.get(to) ?? 0) + 1)
  const most = Math.max(...letters.values(), 0)
  expect(most).toBeLessThanOrEqual(MOST_LETTERS)
  expect(everThanked).toBeGreaterThan(KILLS)
  expect(relay.accepted.length).toBeGreaterThan(0)
  report(context, {
    done: 'kill -9 of a server that asks for confirmation, under load',
    times: KILLS,
    result: `0 of ${everThanked.toLocaleString('en')} thanked were lost, at most ${most} of 3 letters to one, nobody on the list unasked (seed ${seed})`,
  })
})

function whatIsKept(file: string) {
  const db = new DatabaseSync(file)
  const column = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map(({ value }) => String(value))
  const waiting = new Set(column('SELECT email AS value FROM outbox'))
  const rows = column('SELECT data AS value FROM pending').flatMap(
    (data) => pendingFrom(data) ?? [],
  )
  const listed = new Set(column('SELECT email AS value FROM subscribers'))
  db.close()
  return { waiting, listed, pending: new Map(rows.map(({ email, letters }) => [email, letters])) }
}
