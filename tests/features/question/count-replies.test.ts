import { describe, expect, it } from 'vitest'
import { countReplies, replyCounter } from '../../../src/features/question/count-replies.ts'
import { ids } from '../../fixtures/keys.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'

const email = (who: string) => `${who}@example.com`

describe('replies', () => {
  const see = (answers: readonly (string | undefined)[], standing = 'subscribed') => {
    const counter = replyCounter()
    for (const answer of answers)
      counter.see({ standing, extra: answer === undefined ? {} : { answer } } as never)
    return counter.counts()
  }

  it('are counted with the commonest first, and by their letters among as many', () => {
    expect(see(['b', 'a', 'c', 'c', undefined])).toEqual({
      answered: 4,
      answers: [
        { answer: 'c', people: 2 },
        { answer: 'a', people: 1 },
        { answer: 'b', people: 1 },
      ],
      others: 0,
    })
    expect(see(['a'], 'bounced')).toEqual({ answered: 0, answers: [], others: 0 })
  })

  it('of strangers are kept apart only so many, and what is known is counted on', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `a${i}`)
    const { answers, others, answered } = see([...many, 'one more', 'another', 'a7'])
    expect([answers.length, others, answered]).toEqual([10_000, 2, 10_003])
    expect(answers[0]).toEqual({ answer: 'a7', people: 2 })
  })

  it('are counted of those who may be written to', async () => {
    const store = storeOnFile()
    const said = { ada: 'Bonn', bob: 'Köln', cleo: 'Bonn', dora: undefined, eve: 'Köln' }
    for (const [name, answer] of Object.entries(said)) {
      await store.list.add(email(name))
      if (answer) await store.replies.keep(email(name), answer)
    }
    await store.standings.unsubscribe(ids.of(email('eve')))
    expect(await countReplies(store)).toEqual({
      people: 4,
      answered: 3,
      answers: [
        { answer: 'Bonn', people: 2 },
        { answer: 'Köln', people: 1 },
      ],
      others: 0,
    })
  })
})
