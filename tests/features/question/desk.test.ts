import { expect, it } from 'vitest'
import type { PeoplePage } from '../../../src/desk/contract/people.ts'
import { openDesk, reportOf } from '../../fixtures/desk.ts'
import { homeOnFile } from '../../fixtures/home.ts'

it('the desk shows what people answered, also where nobody did yet', {
  tags: 'thorough',
}, async () => {
  const home = homeOnFile()
  const { get } = await openDesk({ home })
  const shown = async () => reportOf((await get('/desk/answers')).page)
  expect(await shown()).toMatchObject({ people: 0, answered: 0 })
  const said = '"; $(true) <i>'
  await home.store.list.add('ada@example.com')
  await home.store.replies.keep('ada@example.com', said)
  const counts = { people: 1, answered: 1, answers: [{ answer: said, people: 1 }], others: 0 }
  await expect.poll(shown).toMatchObject(counts)
})

it('the desk finds who gave an answer, and no answer stands in a path', async () => {
  const home = homeOnFile()
  const { get, post } = await openDesk({ home })
  for (const [name, said] of [
    ['ada', 'Bonn'],
    ['bob', 'Köln'],
    ['cleo', undefined],
  ] as const) {
    await home.store.list.add(`${name}@example.com`)
    if (said) await home.store.replies.keep(`${name}@example.com`, said)
  }
  const found = await post('/desk/people', { answer: 'bonn', standing: 'subscribed' })
  expect(found.statusCode).toBe(200)
  const who = (page: unknown) => (page as PeoplePage).people.map(({ email }) => email)
  expect(who(found.page)).toEqual(['ada@example.com'])
  expect(found.page).toMatchObject({ filter: { answer: 'bonn' }, found: 1 })
  // In a query it is ignored.
  expect(who((await get('/desk/people?answer=bonn')).page)).toHaveLength(3)
  const file = await post('/desk/people/export', { answer: 'Köln', format: 'csv' })
  expect(file.body).toContain('bob@example.com')
  expect(file.body).not.toContain('ada@example.com')
})
