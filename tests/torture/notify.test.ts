/** @module-tag long */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { milestonesIn } from '../../src/store/notices.ts'
import {
  type Answering,
  isSigned,
  noticesIn,
  type Received,
  startReceiver,
  webhookSecret,
} from '../fixtures/receiver.ts'
import { run } from '../fixtures/run.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { amount, chance, report, seed } from './form.ts'

const KILLS = amount(4, 200)
/** After so many, it starts with an empty file again: nobody waits three days for the first message. */
const KILLS_OF_ONE_FILE = amount(4, 10)
const LONGEST_LIFE_MS = 700
const WITHIN = { timeout: 60_000 }

it('every event is told once by its id and in order, though the server is killed and the receiver comes and goes', {
  timeout: amount(120_000, 3_600_000),
}, async (context) => {
  const random = chance(seed)
  let [told, requests, repeats, lives] = [0, 0, 0, 0]
  for (let files = 0; files < KILLS / KILLS_OF_ONE_FILE; files++) {
    const found = await oneFile(random)
    told += found.told
    requests += found.requests
    repeats += found.repeats
    lives += KILLS_OF_ONE_FILE
  }
  expect(told).toBeGreaterThan(lives)
  report(context, {
    done: 'kill -9 of the server while it tells a receiver that is up, down, silent or hangs up',
    times: lives,
    result: `${told.toLocaleString('en')} events were told once by their ids and in order, in ${requests.toLocaleString('en')} requests; ${repeats} messages came again under their ids (seed ${seed})`,
  })
})

async function oneFile(random: () => number) {
  /** What the receiver has got hold of, whether it could say so or not. */
  const got: Received[] = []
  const take = (request: Received) => void got.push(request)
  const ways: readonly Answering[] = [
    (response, request) => {
      take(request)
      response.writeHead(204).end()
    },
    (response) => response.writeHead(503).end(),
    // Silent: whoever is killed meanwhile hears nothing.
    () => {},
    // It has taken the message, and nobody hears of it.
    (response, request) => {
      take(request)
      response.destroy()
    },
  ]
  const [up] = ways as [Answering]
  let way = up
  const receiver = await startReceiver(() => way)
  const [file, begun] = [join(tempDir(), 'store.sqlite'), String(Date.now())]
  const committed = new Set<number>()
  const start = (life: number, events: number) =>
    run(process.cwd(), [process.execPath, 'tests/torture/notify/server.ts'], {
      FILE: file,
      URL_OF_RECEIVER: receiver.url,
      LIFE: String(life),
      BEGUN: begun,
      SECRET: webhookSecret.slice('whsec_'.length),
      EVENTS: String(events),
    })
  const note = (output: string) => {
    // A line that was cut short by the kill is none.
    for (const line of output.split('\n').slice(0, -1)) committed.add(Number(line))
  }
  for (let life = 1; life <= KILLS_OF_ONE_FILE; life++) {
    const server = start(life, 1_000_000)
    await server.printed(/\n/)
    const until = performance.now() + random() * LONGEST_LIFE_MS
    while (performance.now() < until) {
      way = ways[Math.floor(random() * ways.length)] ?? up
      await sleep(random() * 150)
    }
    await server.end('SIGKILL')
    note(server.output('stdout'))
  }
  way = up
  const last = start(KILLS_OF_ONE_FILE + 1, 1)
  await last.printed(/\n/)
  note(last.output('stdout'))
  const eventsGot = () =>
    got.flatMap((request) => noticesIn(request)).filter(({ type }) => type === 'test')
  const missing = () => {
    const told = new Set(eventsGot().map(({ data }) => data.event))
    return [...committed].filter((event) => !told.has(event)).length
  }
  await expect.poll(missing, WITHIN).toBe(0)
  const milestones = () =>
    firstOf(got.flatMap((request) => noticesIn(request)))
      .filter(({ type }) => type === 'subscribers.reached')
      .map(({ data }) => data.number)
  await expect.poll(milestones, WITHIN).toEqual(milestonesIn(subscribersIn(file)))
  await last.end('SIGKILL')

  expect(got.every((request) => isSigned(request))).toBe(true)
  const order = firstOf(eventsGot()).map(({ data }) => Number(data.event))
  expect(order, `seed ${seed}`).toEqual(order.toSorted((a, b) => a - b))
  // What came again came as it was.
  const messages = Map.groupBy(got, ({ headers }) => headers['webhook-id'])
  for (const same of messages.values()) expect(new Set(same.map(({ body }) => body)).size).toBe(1)
  // And each notice in one message alone.
  const each = [...messages.values()].flatMap(([one]) => (one ? noticesIn(one) : []))
  expect(new Set(each.map(({ id }) => id)).size).toBe(each.length)
  return {
    told: each.length,
    requests: receiver.requests.length,
    repeats: got.length - messages.size,
  }
}

function firstOf<T extends { readonly id: string }>(told: readonly T[]): T[] {
  const seen = new Set<string>()
  return told.filter(({ id }) => !seen.has(id) && seen.add(id))
}

function subscribersIn(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true })
  const count = Number(
    db.prepare('SELECT count(*) AS n FROM documents WHERE waits IS NULL').get()?.n,
  )
  db.close()
  return count
}
