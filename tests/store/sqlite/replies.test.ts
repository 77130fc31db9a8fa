import { join } from 'node:path'
import { expect, it } from 'vitest'
import { replyIn } from '../../../src/shared/reply.ts'
import { ids } from '../../fixtures/keys.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const ada = 'ada@example.com'
const suspicion = 'hidden-field'

function opened() {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = storeOnFile(file)
  const answerOf = async (email = ada) => {
    for await (const one of store.list.stream({ standing: 'all' }))
      if (one.email === email) return replyIn(one.extra)
    return undefined
  }
  return { ...store, answerOf }
}

it('a sign-up from before somebody was erased replies nothing for who came since', async () => {
  const { list, replies, standings, answerOf } = opened()
  await list.add(ada, { key: 'before' })
  await standings.forget(ada)
  await replies.keep(ada, 'Rome', 'before')
  await list.add(ada, { key: 'since' })
  await replies.keep(ada, 'Rome', 'before')
  expect(await answerOf()).toBeUndefined()
  await replies.keep(ada, 'Bonn', 'since')
  await replies.keep(ada, 'Rome', 'before')
  expect(await answerOf()).toBe('Bonn')
})

it('of twenty sign-ups at once one brings them, with robots among them or not', async () => {
  const { list, replies, answerOf } = opened()
  const brought = async (email: string, all: readonly object[]) => {
    await Promise.all(all.map((one, i) => list.add(email, { ...one, key: String(i) })))
    let [brought, last] = [0, await answerOf(email)]
    for (const key of all.keys()) {
      await replies.keep(email, `${key}`, String(key))
      const now = await answerOf(email)
      if (now !== last) brought += 1
      last = now
    }
    return brought
  }
  const robot = { suspicion }
  expect(await brought(ada, Array(20).fill({}))).toBe(1)
  expect(await brought('bob@example.com', [robot, {}, robot, {}])).toBe(1)
  expect(await brought('eve@example.com', Array(20).fill(robot))).toBe(0)
  expect(await brought('eve@example.com', Array(20).fill({}))).toBe(1)
})

it('somebody who left is not brought by who types their address, and keeps what they answered', async () => {
  const { list, replies, standings, answerOf } = opened()
  await list.add(ada, { key: 'first' })
  await replies.keep(ada, 'Bonn', 'first')
  await standings.unsubscribe(ids.of(ada))
  await list.add(ada, { key: 'later' })
  await replies.keep(ada, 'Rome', 'later')
  expect(await answerOf()).toBe('Bonn')
})
