/** @module-tag thorough */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { operator } from '../fixtures/operator.ts'
import { signUpAsPeopleDo } from '../fixtures/people-sign-up.ts'
import {
  type Answering,
  answering,
  isSigned,
  type Received,
  startReceiver,
  takes,
  webhookSecret,
} from '../fixtures/receiver.ts'
import { startSite } from '../fixtures/running-site.ts'
import { withCopyOfServer } from '../fixtures/server-copy.ts'

const copy = withCopyOfServer()

async function site(env: Record<string, string>) {
  const found = await startSite({ root: copy(), env })
  onTestFinished(() => found.stop())
  return found
}

const settings = (url: string) => ({
  EVENTS_URL: url,
  EVENTS: 'subscribed,left,forgotten',
  EVENTS_SECRET: webhookSecret,
})

const eventIn = ({ body }: Received) =>
  JSON.parse(body) as { id: string; type: string; data: { person: string; email?: string } }

const WITHIN = { timeout: 30_000 }

it('a receiver that was away knows every yes, every no and every erasure, and nothing of the erased', async () => {
  let answer: Answering = answering(503)
  const receiver = await startReceiver(() => answer, { path: '/TOP-SECRET' })
  const server = await site(settings(receiver.url))
  const env = { DATA_DIR: server.dataDir }
  const signUp = (email: string) => signUpAsPeopleDo(server.url, email)
  for (const name of ['stays', 'leaves', 'erased'])
    expect(await signUp(`${name}@example.com`)).toBe(201)
  await expect.poll(server.log).toContain('Events cannot reach 127.0.0.1')
  // What came of it is written down, so that nobody waits for the end of a lease.
  await server.end()
  expect((await operator(['unsubscribe', 'leaves@example.com'], { env })).code).toBe(0)
  expect((await operator(['forget', 'erased@example.com'], { env })).code).toBe(0)
  const kept = new DatabaseSync(server.databaseFile, { readOnly: true })
  const rows = JSON.stringify(kept.prepare('SELECT * FROM queue').all())
  kept.close()
  expect(rows).not.toMatch(/erased@|TOP-SECRET|whsec_/)
  expect(readFileSync(server.databaseFile, 'latin1')).not.toContain('erased@example.com')
  const before = receiver.requests.length

  answer = takes
  expect((await operator(['events', '--replay'], { env })).code).toBe(0)
  await server.restart()
  await expect.poll(() => receiver.taken().length, WITHIN).toBe(4)
  const told = receiver.taken().map(eventIn)
  const of = (email: string) =>
    told.filter(({ data }) => data.email === email).map(({ type }) => type)
  expect(of('stays@example.com')).toEqual(['subscribed'])
  expect(of('leaves@example.com')).toEqual(['subscribed', 'left'])
  expect(of('erased@example.com')).toEqual([])
  const [erased] = told.filter(({ type }) => type === 'forgotten')
  expect(erased?.data).toEqual({ person: expect.stringMatching(/^[\w-]{22}$/) })
  expect(receiver.requests.every((request) => isSigned(request))).toBe(true)
  // Each was sent again under its id.
  const first = receiver.requests.slice(0, before).map(eventIn)
  for (const { id, type } of first.filter(({ data }) => data.email !== 'erased@example.com'))
    expect(told.find((one) => one.id === id)?.type).toBe(type)
  expect(server.log()).not.toMatch(/TOP-SECRET|whsec_|@example/)
})
