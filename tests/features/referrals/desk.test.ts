import { expect, it } from 'vitest'
import { addressIds } from '../../../src/keys/address-id.ts'
import { openDesk, reportOf } from '../../fixtures/desk.ts'
import { homeOnFile } from '../../fixtures/home.ts'
import { receipt } from '../../fixtures/receipt.ts'
import { restoreKnown } from '../../fixtures/restored.ts'

const day = '2026-11-20'
const consent = receipt(`${day}T09:30:00.000Z`)

it('the desk shows who referred friends and what is held, and lets a day count once', async () => {
  const home = homeOnFile()
  const { of } = addressIds(home.linkKey)
  const { get, post } = await openDesk({ home, env: { REFERRALS: 'on' } })
  const emails = Array.from({ length: 13 }, (_, i) => `p${i}@example.com`)
  for (const email of emails) await home.store.list.add(email)
  await restoreKnown(
    home.store,
    emails.map((email, i) => ({
      addressId: of(email),
      extra: {
        consent,
        ...(i > 0 && { referral: { by: of('p0@example.com'), at: `${day}T10:00:00.000Z` } }),
      },
    })),
  )
  const { shell } = JSON.parse((await get('/desk/people')).body)
  expect(shell.places).toContainEqual(expect.objectContaining({ path: '/desk/referrals' }))
  const held = { email: 'p0@example.com', day, number: 12, why: 'many' }
  const shown = async () => reportOf((await get('/desk/referrals')).page)
  expect(await shown()).toMatchObject({ links: 13, credited: 0, held: 12, heldDays: [held] })
  const body = { act: 'let-friends', email: 'p0@example.com', day }
  expect(await post('/desk/referrals', body)).toMatchObject({ statusCode: 303 })
  expect(await shown()).toMatchObject({ credited: 12, held: 0 })
  expect(await post('/desk/referrals', body)).toMatchObject({ statusCode: 400 })
})
