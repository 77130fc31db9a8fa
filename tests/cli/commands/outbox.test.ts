import { expect, it, onTestFinished } from 'vitest'
import { outbox } from '../../../src/cli/commands/outbox.ts'
import { status } from '../../../src/cli/commands/status.ts'
import { nothingHeld } from '../../../src/shared/held-letters.ts'
import { emptySqlite } from '../../fixtures/empty-sqlite.ts'
import { holdLetters } from '../../fixtures/held-letters.ts'
import { listening } from '../../fixtures/spoken.ts'

async function open() {
  const store = await emptySqlite()
  onTestFinished(() => store.close())
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
      '13 confirmation letters to be sent.',
      '12 confirmation letters wait, because a program filled the field that people do not see. This lasts until you send them; after 14 days they are erased. To send them now: bin/opening-bell outbox --release hidden-field',
      '1 confirmation letter waits, because sign-ups of the same network have ten more unanswered letters than answered ones. This lasts an hour at most. To send them now: bin/opening-bell outbox --release network\n',
    ].join('\n'),
  )
  expect(await said((out) => status(store, { name: 'Meridian', lastBackup: null }, out))).toMatch(
    /12 confirmation letters wait, because a program .*\n1 confirmation letter waits, because sign-ups of the same network/,
  )
})

it('the outbox releases what waits for one reason, and leaves the rest', async () => {
  const { store, said } = await open()
  await holdLetters(store.requests, 3, 'hidden-field')
  await holdLetters(store.requests, 2, 'domain')
  const released = await said((out) => outbox(store.requests, { release: 'domain' }, out))
  expect(released).toMatch(
    /^2 letters released: they leave within minutes\.\n3 confirmation letters wait/,
  )
  const json = await said((out) =>
    outbox(store.requests, { release: 'hidden-field', json: true }, out),
  )
  expect(JSON.parse(json)).toEqual({ waiting: 5, held: nothingHeld, released: 3 })
})

it('status counts what waits, for programs', async () => {
  const { store, said } = await open()
  await holdLetters(store.requests, 2, 'share')
  const options = { name: 'Meridian', lastBackup: null, json: true }
  const { heldLetters } = JSON.parse(await said((out) => status(store, options, out)))
  expect(heldLetters).toEqual({ ...nothingHeld, share: 2 })
})
