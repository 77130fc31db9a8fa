import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { httpPlace } from '../../src/notices/places.ts'
import type { Notice } from '../../src/store/notices.ts'
import { webhookSecret } from '../fixtures/receiver.ts'
import { run } from '../fixtures/run.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const programIn = (page: string) => {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8')
  return /```js\n(.*?)```/s.exec(text)?.[1] ?? ''
}
const program = programIn('events.md')
  .replace('EVENTS_SECRET', 'NOTIFY_SECRET')
  .replace(/^ {2}const \{ id, type.*(?= {2}response\.writeHead\(204)/ms, () =>
    programIn('notifications.md'),
  )
const first: Notice = {
  id: 'evt_1',
  type: 'subscribers.reached',
  at: new Date(),
  data: { number: 1, subscribers: 1 },
}
const message = { id: 'evt_1', notices: [first] }

it('the receiver of the document takes each notice once, and neither a forged nor an old message', async () => {
  const file = join(tempDir(), 'receiver.mjs')
  writeFileSync(file, program)
  const env = { NOTIFY_SECRET: webhookSecret, PORT: '0' }
  const receiver = run(process.cwd(), [process.execPath, file], env)
  const [, port] = await receiver.printed(/port (\d+)/)
  const placeWith = (secret: Buffer) =>
    httpPlace({
      kind: 'webhook',
      url: `http://127.0.0.1:${port}/`,
      name: 'one',
      secrets: [secret],
      product: 'Meridian',
    })
  const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64')
  const now = new Date()
  expect(await placeWith(key).send(message, now)).toEqual({ kind: 'taken' })
  expect(await placeWith(key).send(message, now)).toEqual({ kind: 'taken' })
  const old = new Date(now.getTime() - 3_600_000)
  for (const answer of [
    await placeWith(Buffer.alloc(32)).send(message, now),
    await placeWith(key).send(message, old),
  ])
    expect(answer).toMatchObject({ kind: 'failed', failure: '400' })
  expect(receiver.output('stdout').match(/subscribers\.reached/g)).toHaveLength(1)
})
