import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { answerIn } from '../../../src/people/known-fields.ts'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { ids } from '../../fixtures/keys.ts'
import { nextMillisecond } from '../../fixtures/next-millisecond.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const ada = 'ada@example.com'
const [asked, robot] = [{ isAsked: true }, { isAsked: true, suspicion: 'hidden-field' }]

function opened() {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  const answerOf = async (email = ada) => {
    for await (const one of store.list.stream({ standing: 'all' }))
      if (one.email === email) return answerIn(one.extra)
    return undefined
  }
  return { ...store, answerOf }
}

it('a robot types an address first, and what its owner answers is what is kept', async () => {
  const { list, answers, answerOf } = opened()
  expect(await list.add(ada, robot)).toBeUndefined()
  await nextMillisecond()
  const owner = await list.add(ada, asked)
  await answers.keep(ada, 'Bonn', owner)
  expect(await list.add(ada, asked)).toBeUndefined()
  expect(await answerOf()).toBe('Bonn')
})

it('a sign-up from before somebody was erased answers nothing for who came since', async () => {
  const { list, answers, standings, answerOf } = opened()
  const before = await list.add(ada, asked)
  await standings.forget(ada)
  await answers.keep(ada, 'Rome', before)
  await nextMillisecond()
  const since = await list.add(ada, asked)
  await answers.keep(ada, 'Rome', before)
  expect(await answerOf()).toBeUndefined()
  await answers.keep(ada, 'Bonn', since)
  await answers.keep(ada, 'Rome', before)
  expect(await answerOf()).toBe('Bonn')
})

it('of twenty sign-ups at once one brings them, with robots among them or not', async () => {
  const { list } = opened()
  const all = (email: string, notes: readonly object[]) =>
    Promise.all(notes.map((one) => list.add(email, one)))
  const brought = (times: readonly unknown[]) => times.filter((time) => time !== undefined).length
  expect(brought(await all(ada, Array(20).fill(asked)))).toBe(1)
  expect(brought(await all('bob@example.com', [robot, asked, robot, asked]))).toBe(1)
  expect(brought(await all('eve@example.com', Array(20).fill(robot)))).toBe(0)
  expect(brought(await all('eve@example.com', Array(20).fill(asked)))).toBe(1)
})

it('somebody who left is not brought by who types their address, and keeps what they answered', async () => {
  const { list, answers, standings, answerOf } = opened()
  await answers.keep(ada, 'Bonn', await list.add(ada, asked))
  await standings.unsubscribe(ids.of(ada))
  expect(await list.add(ada, asked)).toBeUndefined()
  expect(await answerOf()).toBe('Bonn')
})
