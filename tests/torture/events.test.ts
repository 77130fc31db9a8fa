import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ids } from '../fixtures/keys.ts'
import {
  type Answering,
  isSigned,
  type Received,
  startReceiver,
  webhookSecret,
} from '../fixtures/receiver.ts'
import { run } from '../fixtures/run.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { amount, chance, report, seed } from './form.ts'

const LIVES = amount(3, 20)
/** Within this time it gets fewer, however slow the machine is: no wait is longer than 144 seconds. */
const WITHIN = { timeout: 300_000 }

interface Told {
  readonly id: string
  readonly type: string
  readonly data: { readonly person: string; readonly email?: string }
}

/** Where events wait. */
interface Kept {
  readonly env: Readonly<Record<string, string>>
  /** How long a server lives at most before it is killed. */
  readonly longestLifeMs: number
  /** Of how many people something waits. */
  waiting(): number | Promise<number>
  /** All that is kept, as text; nothing where that cannot be read. */
  text(): string
}

function promises(name: string, lists: number, open: () => Kept) {
  it(`every yes, no and erasure is told from ${name}, in order for each person, though the server is killed and the receiver comes and goes`, {
    timeout: amount(400_000, 7_200_000),
  }, async (context) => {
    const random = chance(seed)
    const all = { told: 0, repeats: 0, erased: 0 }
    for (let list = 0; list < lists; list++) {
      const found = await oneList(random, open())
      for (const name of ['told', 'repeats', 'erased'] as const) all[name] += found[name]
    }
    report(context, {
      done: `kill -9 of the server while it tells another system of people from ${name}, which is up, down, silent or hangs up`,
      times: lists * LIVES,
      result: `${all.told.toLocaleString('en')} events came, none was lost, each person's in order, ${all.erased} erasures last of all; ${all.repeats} came again under their ids (seed ${seed})`,
    })
  })
}

promises('a file', amount(1, 10), () => {
  const file = join(tempDir(), 'store.sqlite')
  return {
    env: { FILE: file },
    longestLifeMs: 700,
    waiting: () => waitingIn(file),
    text: () => readFileSync(file, 'latin1') + readFileSync(`${file}-wal`, 'latin1'),
  }
})

async function oneList(random: () => number, kept: Kept) {
  /** What the receiver has got hold of, whether it could say so or not. */
  const got: Received[] = []
  const ways: readonly Answering[] = [
    (response, request) => {
      got.push(request)
      response.writeHead(204).end()
    },
    (response) => response.writeHead(503).end(),
    // Silent: a server that is killed meanwhile hears nothing.
    () => {},
    // It has taken the event, and nobody hears of it.
    (response, request) => {
      got.push(request)
      response.destroy()
    },
  ]
  const [up] = ways as [Answering]
  let way = up
  const receiver = await startReceiver(() => way)
  const begun = String(Date.now())
  const committed: string[] = []
  const start = (life: number, people: number) =>
    run(process.cwd(), [process.execPath, 'tests/torture/events/server.ts'], {
      ...kept.env,
      URL_OF_RECEIVER: receiver.url,
      LIFE: String(life),
      BEGUN: begun,
      SECRET: webhookSecret.slice('whsec_'.length),
      PEOPLE: String(people),
    })
  // A line that was cut short by the kill is none.
  const note = (output: string) => committed.push(...output.split('\n').slice(0, -1))
  for (let life = 1; life <= LIVES; life++) {
    const server = start(life, 1_000_000)
    await server.printed(/\n/)
    const until = performance.now() + random() * kept.longestLifeMs
    while (performance.now() < until) {
      way = ways[Math.floor(random() * ways.length)] ?? up
      await sleep(random() * 150)
    }
    await server.end('SIGKILL')
    note(server.output('stdout'))
  }
  way = up
  const last = start(LIVES + 1, 0)
  for (let least = await kept.waiting(); least > 0; least = await kept.waiting())
    await expect.poll(kept.waiting, WITHIN).toBeLessThan(least)
  await last.end('SIGKILL')

  expect(got.every((request) => isSigned(request))).toBe(true)
  const events = got.map(({ body }) => JSON.parse(body) as Told)
  const first = [...new Map(events.toReversed().map((one) => [one.id, one])).values()].toReversed()
  const ofPerson = Map.groupBy(first, ({ data }) => data.person)
  const done = (what: string) =>
    committed.filter((line) => line.startsWith(`${what} `)).map((line) => line.split(' ')[1] ?? '')
  const [erased, erasing] = [done('forgotten'), new Set(done('erasing'))]
  for (const email of done('subscribed')) {
    const told = ofPerson.get(ids.person(ids.of(email))) ?? []
    const types = told.map(({ type }) => type)
    // Of those who were erased, all that is sure is the end.
    if (!erasing.has(email)) expect(types[0], `${email}, seed ${seed}`).toBe('subscribed')
    if (!erasing.has(email) && done('left').includes(email)) expect(types).toContain('left')
    expect(types, `${email}, seed ${seed}`).toEqual(
      ['subscribed', 'left', 'forgotten'].filter((type) => types.includes(type)),
    )
  }
  for (const email of erased) {
    const person = ids.person(ids.of(email))
    // With repeats: nothing of them comes after it.
    const theirs = events.filter(({ data }) => data.person === person)
    expect(theirs.at(-1), `${email}, seed ${seed}`).toMatchObject({
      type: 'forgotten',
      data: { person },
    })
    expect(theirs.at(-1)?.data).not.toHaveProperty('email')
  }
  const text = kept.text()
  expect(erased.filter((email) => text.includes(`"${email}"`))).toEqual([])
  return {
    told: first.length,
    repeats: events.length - first.length,
    erased: erased.length,
  }
}

function waitingIn(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(db.prepare('SELECT count(*) AS n FROM queue').get()?.n)
  } finally {
    db.close()
  }
}
