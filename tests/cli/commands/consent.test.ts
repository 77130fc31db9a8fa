import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { exportCommand } from '../../../src/cli/commands/export.ts'
import { find } from '../../../src/cli/commands/find.ts'
import { importList } from '../../../src/cli/commands/import.ts'
import { confirmationKeys } from '../../../src/keys/confirmation-keys.ts'
import { letterRule } from '../../../src/people/letter-rule.ts'
import { press } from '../../../src/people/press-button.ts'
import type { Store } from '../../../src/store/store.ts'
import { ids, linkKey } from '../../fixtures/keys.ts'
import { copyOf } from '../../fixtures/merged-copy.ts'
import { listening } from '../../fixtures/spoken.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const [ada, bob, eve] = ['ada@example.com', 'bob@example.com', 'eve@example.com'] as const
const shown = { words: 'Coming Soon | Notify Me', page: 'a1b2c3', language: 'en' }
const marks = { messageId: '<one@example.com>', letterDigest: 'the digest' }

function open(dir = tempDir()) {
  const file = join(dir, 'subscribers.sqlite')
  const store = storeOnFile(file)
  return store
}

/** Ada confirmed, Bob has a letter, Eve's is refused and has yet to be tried again. */
async function asked(askedFrom?: string, confirmedFrom?: string) {
  const store = open()
  for (const email of [ada, bob, eve])
    await store.requests.requestConfirmation(email, {
      shown: { ...shown, askedFrom },
      isCrowd: false,
    })
  const { letters } = await store.requests.claimLetters(
    9,
    60_000,
    letterRule(() => marks),
  )
  await store.requests.settleLetters(
    letters.map(({ request }) =>
      request.email === eve
        ? {
            request,
            change: (one) => ({ ...one, letters: 0, failure: '550 5.1.1 user unknown' }),
            dueAt: new Date(Date.now() + 60_000),
          }
        : { request },
    ),
  )
  await store.requests.changePending(
    ids.of(ada),
    press(confirmationKeys(linkKey), ids.of(ada), 'yes', confirmedFrom),
  )
  return store
}

async function said(store: Store, email: string) {
  const { out, result } = listening()
  const code = await find(store, { email, linkKey }, out)
  return { code, text: result() }
}

/** What Ada agreed to, for programs. */
async function receiptOf(store: Store) {
  const { out, result } = listening()
  await find(store, { email: ada, linkKey, json: true }, out)
  return JSON.parse(result()).consent
}

it('prints nothing of the network that somebody asked from', async () => {
  const [store, network] = [open(), 'N'.repeat(22)]
  await store.requests.requestConfirmation(bob, { shown, isCrowd: false, network })
  await store.requests.claimLetters(
    1,
    60_000,
    letterRule(() => marks),
  )
  for await (const pending of store.requests.pending()) expect(pending.networks).toEqual([network])
  for (const json of [true, false]) {
    const { out, result } = listening()
    await find(store, { email: bob, linkKey, json }, out)
    expect(result()).toContain(bob)
    expect(result()).not.toContain(network)
  }
})

it('takes nobody from a copy who was asked at no time, or after now', async () => {
  const from = await asked()
  const file = await copyOf(from)
  const db = new DatabaseSync(file)
  const later = `json_set(data, '$.pending.lastLetterAt', '2999-01-01T00:00:00.000Z')`
  db.exec(`UPDATE persons SET data = ${later} WHERE data ->> '$.pending' IS NOT NULL`)
  db.exec(
    `UPDATE persons SET data = json_set(data, '$.request.askedAt', 'soon') WHERE data ->> '$.request' IS NOT NULL`,
  )
  db.close()
  const to = open()
  expect(await to.restore(file, { isBelieved: false })).toMatchObject({ refused: 2 })
  expect(await to.requests.counts()).toEqual({ waiting: 0, expired: 0 })
  expect((await said(to, bob)).text).not.toContain('asked')
})

it('has client addresses where they are kept, wherever it goes, and none where they are forgotten', async () => {
  const from = await asked('203.0.113.7', '2001:db8::7')
  const before = await said(from, ada)
  expect(before.text).toMatch(/Was asked to confirm\n +From 203\.0\.113\.7\n/)
  expect(before.text).toMatch(/Confirmed\n +By the button of the letter, from 2001:db8::7\n/)
  const { out, result } = listening()
  await exportCommand(from, { format: 'ndjson', all: true }, out)
  const imported = open()
  const file = Readable.from([result()])
  await importList(imported, { file, format: 'ndjson' }, listening().out)
  expect(await receiptOf(imported)).toEqual(await receiptOf(from))

  const restored = open()
  await restored.restore(await copyOf(from), { isBelieved: true })
  expect(await said(restored, ada)).toEqual(before)
  await restored.requests.changePending(
    ids.of(bob),
    press(confirmationKeys(linkKey), ids.of(bob), 'yes'),
  )
  expect((await said(restored, bob)).text).toContain('From 203.0.113.7')
  await restored.standings.forget(ada)
  expect((await said(restored, ada)).text).not.toContain('203.0.113.7')
})
