import { expect, it } from 'vitest'
import { noteCame } from '../../../src/features/came/note-came.ts'
import { addressIds } from '../../../src/keys/address-id.ts'
import { openDesk, reportOf } from '../../fixtures/desk.ts'
import { homeOnFile } from '../../fixtures/home.ts'

it('the desk shows who became a user, also where nobody did yet', {
  tags: 'thorough',
}, async () => {
  const home = homeOnFile()
  const { get } = await openDesk({ home })
  const shown = async () => reportOf((await get('/desk/came')).page)
  expect(await shown()).toMatchObject({ told: 0, came: 0, notes: [{ code: 'nobody' }] })
  await home.store.list.add('ada@example.com')
  const ada = { email: 'ada@example.com', at: new Date() }
  await noteCame(home.store, addressIds(home.linkKey).of, [ada])
  await expect.poll(shown).toMatchObject({ others: 1, notes: [] })
})
