import { expect, it } from 'vitest'
import { findLeftOut as leftOut } from '../../src/announcement/earlier.ts'
import { countRun } from '../../src/announcement/outlook.ts'
import type { RecipientSelection } from '../../src/announcement/run-options.ts'
import { lettersThatAsk } from '../../src/store/letters-that-ask.ts'
import { findingSaid } from '../fixtures/finding-said.ts'
import { setStage } from '../fixtures/stage.ts'

const findLeftOut = async (...asked: Parameters<typeof leftOut>) =>
  (await leftOut(...asked)).map(findingSaid)

it('says which announcements reached how many, and who is left out for that', async () => {
  const stage = await setStage(3)
  await stage.run({ id: 'first' })
  const found = async (selection: RecipientSelection) =>
    findLeftOut(stage.store, selection, await countRun(stage.store, selection))
  expect(await found({ id: 'first' })).toEqual([])

  const reached = expect.stringMatching(
    /^"first", begun \d{4}-\d\d-\d\d: those who got it are left out\. To tell them too: announce x\.md --also-who-got first$/,
  )
  expect(await found({ id: 'next' })).toEqual([
    { what: 'Other letter', verdict: 'note', detail: reached },
    { what: 'Left out', verdict: 'note', detail: '3 got another announcement' },
  ])
  for (const alsoWhoGot of ['all', ['first']] as const)
    expect(await found({ id: 'next', alsoWhoGot })).toEqual([
      {
        what: 'Other letter',
        verdict: 'note',
        detail: expect.stringMatching(/: those who got it are told once more$/),
      },
    ])

  // Who got both is left out for the other.
  await stage.run({ id: 'second', alsoWhoGot: 'all' })
  const both = (await found({ id: 'next', alsoWhoGot: ['second'] })).map(({ detail }) => detail)
  expect(both).toEqual([
    expect.stringMatching(
      /^"second", .*: those who got it are told once more, unless they also got one that leaves them out$/,
    ),
    expect.stringMatching(/^"first", .*: those who got it are left out\. To tell them too: /),
    '3 got another announcement',
  ])
  expect((await found({ id: 'next' }))[0]?.detail).toMatch(
    /\. To tell those of them who got none of the others: .* --also-who-got second$/,
  )

  // A letter that asks is no news: it neither leaves them out nor tells them again.
  for (const { name } of lettersThatAsk)
    expect(await found({ id: `${name}-where`, alsoWhoGot: 'all' })).toEqual([])

  const flood = Array.from({ length: 5 }, (_, n) => ({
    email: `flood+${n}@gmail.com`,
    subscribedAt: new Date(n),
  }))
  await stage.store.list.importAll(flood)
  expect(await found({ id: 'next', alsoWhoGot: 'all' })).toContainEqual({
    what: 'Left out',
    verdict: 'note',
    detail: '2 shared a mailbox with three who get it',
  })
})

it('is fatal where a letter would go on to people whom a later one has told', async () => {
  const stage = await setStage(4)
  const problems = async (selection: RecipientSelection) => {
    const found = await findLeftOut(stage.store, selection, await countRun(stage.store, selection))
    return found.flatMap(({ verdict, detail }) => (verdict === 'fatal' ? detail : []))
  }
  await stage.run({ id: 'launch', first: () => 1 })
  expect(await problems({ id: 'launch' })).toEqual([])
  await stage.run({ id: 'second', first: () => 2 })
  expect(await problems({ id: 'launch' })).toEqual([
    '2 people in the queue got another announcement since this one began, and would be told twice. A new letter reaches the others alone. To tell all of them: announce x.md --also-who-got all',
  ])
  for (const alsoWhoGot of ['all', ['second']] as const)
    expect(await problems({ id: 'launch', alsoWhoGot })).toEqual([])
  // Its recipients of before are left out, or were asked for when it began.
  expect(await problems({ id: 'second' })).toEqual([])
  await stage.run({ id: 'third', alsoWhoGot: 'all', first: () => 1 })
  expect(await problems({ id: 'third' })).toEqual([])
  expect(await problems({ id: 'launch', alsoWhoGot: ['second'] })).toEqual([])
  // The first of the four, who has got it, is not told again.
  expect((await problems({ id: 'launch' })).join()).toMatch(/^2 people/)
})

it('says nothing of an announcement that reached nobody', async () => {
  const stage = await setStage(2, () => 'refuse')
  await stage.run({ id: 'first' })
  const selection = { id: 'next' }
  const ahead = await countRun(stage.store, selection)
  expect(await findLeftOut(stage.store, selection, ahead)).toEqual([])
})

it('counts whom an announcement may have reached', async () => {
  const stage = await setStage(2, (to) => (to.startsWith('person') ? 'drop-after-dot' : 'accept'))
  await stage.run({ id: 'first' })
  const selection = { id: 'next' }
  const ahead = await countRun(stage.store, selection)
  const [first] = await leftOut(stage.store, selection, ahead)
  expect(first).toMatchObject({ about: 'first', people: 2, isLeftOut: true })
})
