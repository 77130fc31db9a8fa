import { expect, it } from 'vitest'
import { outbox } from '../../../src/cli/commands/outbox.ts'
import { emptySqlite } from '../../fixtures/empty-sqlite.ts'
import { holdLetters } from '../../fixtures/held-letters.ts'
import { listening } from '../../fixtures/spoken.ts'
import { statusOf } from '../../fixtures/status.ts'

async function open() {
  const store = await emptySqlite()
  async function said(run: (out: ReturnType<typeof listening>['out']) => Promise<number>) {
    const { out, result } = listening()
    await run(out)
    return result()
  }
  return { store, said }
}

it('the outbox says how many letters wait, why, for how long, and how they are sent now', async () => {
  const { store, said } = await open()
  await holdLetters(store.requests, 12, 'hidden-field')
  await holdLetters(store.requests, 1, 'network')
  expect(await said((out) => outbox(store.requests, {}, out))).toBe(
    [
      'Confirmation letters to be sent  13\n',
      'LOOK: Held: 12 confirmation letters wait, because a program filled the field that people do not see. This lasts until you send them; after 14 days they are erased. Send them now: bin/opening-bell outbox --release hidden-field',
      'LOOK: Held: 1 confirmation letter waits, because sign-ups of the same network have ten more unanswered letters than answered ones. This lasts an hour at most. Send them now: bin/opening-bell outbox --release network\n',
    ].join('\n'),
  )
  expect(await statusOf(store)).toMatch(
    /Held: 12 confirmation letters wait, because a program .*\n.*: 1 confirmation letter waits, because sign-ups of the same network/,
  )
})

it('the outbox releases what waits for one reason, and leaves the rest', async () => {
  const { store, said } = await open()
  await holdLetters(store.requests, 3, 'hidden-field')
  await holdLetters(store.requests, 2, 'domain')
  const released = await said((out) => outbox(store.requests, { release: 'domain' }, out))
  expect(released).toMatch(
    /\n\n2 letters released: they leave within minutes\.\n.*: 3 confirmation letters wait/,
  )
  const json = await said((out) =>
    outbox(store.requests, { release: 'hidden-field', json: true }, out),
  )
  expect(JSON.parse(json)).toEqual({ waiting: 5, notes: [{ code: 'released', released: 3 }] })
})

it('status counts what waits, for programs', async () => {
  const { store } = await open()
  await holdLetters(store.requests, 2, 'share')
  expect(JSON.parse(await statusOf(store, { json: true })).notes).toContainEqual(
    expect.objectContaining({ code: 'letters-held', brake: 'share', letters: 2 }),
  )
})
