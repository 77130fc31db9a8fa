import { expect, it, onTestFinished } from 'vitest'
import { begun, type Kind, rounds, sending, type Work } from '../../src/queue/sending-round.ts'
import type { Answer } from '../../src/queue/waiting-line.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'

const taken: Answer = { kind: 'taken' }
const away: Answer = { kind: 'failed', failure: '503', isAway: true }
const refused: Answer = { kind: 'failed', failure: '400', isAway: false }

/** What waits for a receiver that answers as the test says, by a clock that is set. */
function queue(waiting: string[] = [], options: Partial<Kind<string>> = {}) {
  const [sent, settled, said]: [string[], string[], string[]] = [[], [], []]
  let answer: (item: string) => Answer | Promise<Answer> = () => taken
  let now = 0
  const work = sending<string>(
    {
      what: 'Letters',
      to: 'a receiver',
      atOnce: 3,
      most: 5,
      claim: async (limit) => ({ items: waiting.splice(0, limit) }),
      async send(item) {
        sent.push(item)
        return answer(item)
      },
      settle: async (ended) => void settled.push(...ended.map(({ item }) => item)),
      person: (item) => item,
      times: { lease: 1000, look: 7, pauses: [10, 20], late: 5 },
      ...options,
    },
    (message) => said.push(message),
    () => new Date(now),
  )
  return {
    ...work,
    ...{ waiting, sent, settled, said },
    answers(as: typeof answer) {
      answer = as
    },
    pass(ms: number) {
      now += ms
    },
  }
}

it('so many are sent at once, and the next ones at once after them', async () => {
  const { round, sent, settled, nextPause, said } = queue(['a', 'b', 'c', 'd'])
  expect(await round()).toBe(true)
  expect(sent).toEqual(['a', 'b', 'c'])
  expect(await round()).toBe(true)
  expect(await round()).toBe(false)
  expect([settled, nextPause(), said]).toEqual([['a', 'b', 'c', 'd'], 7, []])
})

it('a receiver that is away is said to be that once, and is asked after pauses until it is back', async () => {
  const { round, nextPause, said, answers, waiting } = queue()
  const send = (...items: string[]) => {
    waiting.push(...items)
    return round()
  }
  answers(() => away)
  // One alone may fail for what it is.
  expect(await send('a')).toBe(true)
  expect(nextPause()).toBe(7)
  expect(await send('b', 'c')).toBe(false)
  expect([nextPause(), nextPause(), nextPause()]).toEqual([10, 20, 20])
  for (const answer of [away, refused, { kind: 'stopped' } as const]) {
    answers(() => answer)
    expect(await send('d')).toBe(false)
  }
  answers((item) => (item === 'g' ? taken : away))
  expect(await send('e', 'f', 'g')).toBe(true)
  expect(nextPause()).toBe(7)
  expect(said).toEqual([
    'Letters: one was not taken by a receiver (503). What is kept is sent again later.',
    'Letters cannot reach a receiver (503). What is kept is sent again later.',
    'Letters reach a receiver again.',
  ])
})

it('what is refused for itself is no word about the receiver', async () => {
  const { round, said, answers } = queue(['a', 'b', 'c'])
  answers(() => refused)
  expect(await round()).toBe(true)
  expect(said).toEqual([])
})

it('what has no answer keeps no other waiting, up to a bound, and counts when it comes', async () => {
  const { round, sent, settled, answers, pass, finish } = queue([...'abcdefg'])
  const open: ((answer: Answer) => void)[] = []
  const end = (answer: Answer) => open.splice(0).forEach((answered) => void answered(answer))
  answers((item) => (item === 'd' ? taken : new Promise((answered) => void open.push(answered))))
  const first = round()
  await expect.poll(() => open.length).toBe(3)
  pass(6)
  end(away)
  expect(await first).toBe(false)
  // It is known now that some are not answered.
  expect(await round()).toBe(true)
  expect(settled).toContain('d')
  for (let turn = 0; turn < 3; turn += 1) expect(await round()).toBe(true)
  expect(sent).toEqual([...'abcdefg'])
  expect(open).toHaveLength(3)
  end(taken)
  await finish()
  expect(settled.toSorted()).toEqual([...'abcdefg'])
})

it('a receiver that is gone is not asked before its time, unless the clock was put back since', async () => {
  const DAY = 24 * 3_600_000
  const circuit = async () => ({ notBefore: DAY })
  const { round, sent, pass } = queue(['a', 'b'], { circuit, atOnce: 1 })
  await round()
  expect(sent).toEqual([])
  pass(-1)
  await round()
  pass(DAY + 1)
  await round()
  expect(sent).toEqual(['a', 'b'])
})

it('a fault with one keeps no other from being noted, and is said once by its name alone', async () => {
  const { answers, settled, said, waiting, ...work } = queue(['a', 'b', 'c'])
  answers((item) => {
    if (item !== 'b') return taken
    throw new TypeError('ada@example.com')
  })
  await expect(work.round()).rejects.toThrow(TypeError)
  expect(settled).toEqual(['a', 'c'])
  waiting.push(...'bbbbbbd')
  const { close } = rounds({ ...work, nextPause: () => 1 })
  onTestFinished(close)
  await expect.poll(() => settled).toContain('d')
  expect(said).toEqual(['Letters cannot be sent: TypeError'])
})

it('an outage of the store, which says so itself, delays no begin, and ends no rounds', async () => {
  const [faults, done]: [string[], string[]] = [[], []]
  const outage = () => Promise.reject(new StoreUnavailable('no disk'))
  let turns = 0
  const work: Work = {
    begin: outage,
    round: () => (++turns < 3 ? outage() : Promise.resolve(false)),
    nextPause: () => 1,
    onFault: (name) => faults.push(name),
    stop: () => done.push('stopped'),
    finish: async () => done.push('finished'),
    end: () => done.push('ended'),
  }
  const { close } = await begun(work)
  await expect.poll(() => turns).toBeGreaterThan(3)
  await close()
  const then = turns
  await new Promise(setImmediate)
  expect([turns, faults, done]).toEqual([then, [], ['stopped', 'finished', 'ended']])
})
