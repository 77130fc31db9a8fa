import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { receiverAt } from '../../src/events/receiver.ts'
import { webhookSecret } from '../fixtures/receiver.ts'
import { run } from '../fixtures/run.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const document = readFileSync(join(import.meta.dirname, '../../docs/events.md'), 'utf8')
const recipe = (language: string) =>
  new RegExp(`\`\`\`${language}\\n((?:#!|import)[\\s\\S]*?)\`\`\``).exec(document)?.[1] ?? ''

const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64')
const now = new Date()
const person = 'P'.repeat(22)
const ada = {
  id: 'evt_AAAAAAAAAAAAAAAAAAAAAA',
  type: 'subscribed',
  at: now,
  person,
  email: `o'brien+"x"@example.com`,
} as const
const erased = { id: 'evt_BBBBBBBBBBBBBBBBBBBBBB', type: 'forgotten', at: now, person } as const

const withKey = (url: string, ...secrets: Buffer[]) => receiverAt({ url, secrets })

/** What each recipe has to do with an event, its repeat, a forged and an old one. */
async function tried(url: string) {
  const genuine = withKey(url, key)
  const hourAgo = new Date(now.getTime() - 3_600_000)
  expect(await genuine.send(ada, now)).toEqual({ kind: 'taken' })
  // While the secret is being changed.
  expect(await withKey(url, Buffer.alloc(32), key).send(ada, now)).toEqual({ kind: 'taken' })
  for (const answer of [
    await withKey(url, Buffer.alloc(32)).send(erased, now),
    await genuine.send(erased, hourAgo),
  ])
    expect(answer).toMatchObject({ kind: 'failed', failure: '400' })
  expect(await genuine.send(erased, now)).toEqual({ kind: 'taken' })
}

it('the program of the document takes each event once, and erases on forgotten', async () => {
  const file = join(tempDir(), 'receiver.mjs')
  writeFileSync(file, recipe('js'))
  const env = { EVENTS_SECRET: webhookSecret, PORT: '0' }
  const receiver = run(process.cwd(), [process.execPath, file], env)
  const [, port] = await receiver.printed(/port (\d+)/)
  await tried(`http://127.0.0.1:${port}/`)
  await receiver.printed(/forgotten \[\]/)
  expect(receiver.output('stdout').match(/^subscribed .*brien/gm)).toHaveLength(1)
})

it('the shell script of the document takes each event once', async (context) => {
  if (!existsSync('/usr/bin/openssl')) return context.skip('there is no openssl')
  const [script, seen] = [join(tempDir(), 'receiver.sh'), join(tempDir(), 'seen')]
  writeFileSync(script, recipe('sh'))
  const server = createServer(async (request, response) => {
    const { headers } = request
    const env = {
      PATH: process.env.PATH,
      EVENTS_SECRET: webhookSecret,
      SEEN: seen,
      HTTP_WEBHOOK_ID: String(headers['webhook-id']),
      HTTP_WEBHOOK_TIMESTAMP: String(headers['webhook-timestamp']),
      HTTP_WEBHOOK_SIGNATURE: String(headers['webhook-signature']),
    }
    const child = spawn('/bin/sh', [script], { env, stdio: ['pipe', 'pipe', 'inherit'] })
    request.pipe(child.stdin)
    const [, status] = /^Status: (\d+)/.exec(await text(child.stdout)) ?? []
    response.writeHead(Number(status ?? 500)).end()
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await tried(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  expect(readFileSync(seen, 'utf8').trim().split('\n')).toEqual([ada.id, erased.id])
  const kept = readFileSync(`${seen}.events`, 'utf8').trim().split('\n')
  expect(kept.map((line) => JSON.parse(line).type)).toEqual(['subscribed', 'forgotten'])
})
