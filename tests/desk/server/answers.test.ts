import { expect, it } from 'vitest'
import { openDesk } from '../../fixtures/desk.ts'
import { homeOnFile } from '../../fixtures/home.ts'

it('the desk shows what people answered, also where nobody did yet', {
  tags: 'thorough',
}, async () => {
  const home = homeOnFile()
  const { get } = await openDesk({ home })
  const shown = async () => (await get('/desk/answers')).page
  expect(await shown()).toMatchObject({ page: 'answers', counts: { people: 0, answered: 0 } })
  const said = '"; $(true) <i>'
  await home.store.list.add('ada@example.com')
  await home.store.answers.keep('ada@example.com', said)
  const counts = { people: 1, answered: 1, answers: [{ answer: said, people: 1 }], others: 0 }
  await expect.poll(shown).toMatchObject({ counts, more: 0 })
})
