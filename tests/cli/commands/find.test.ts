import { expect, it } from 'vitest'
import { find } from '../../../src/cli/commands/find.ts'
import { nobody, type Person } from '../../../src/people/person.ts'
import type { Store } from '../../../src/store/store.ts'
import { linkKey } from '../../fixtures/keys.ts'
import { listening } from '../../fixtures/spoken.ts'

const at = (day: number) => new Date(2026, 10, day, 12)

/** A store that knows this of one address. */
const knowing = (more: { known?: Partial<Person> }) =>
  ({
    people: { of: async () => ({ ...nobody, email: 'ada@example.com', ...more.known }) },
    ledger: { deliveriesTo: async () => [] },
  }) as unknown as Store

async function said(more: Parameters<typeof knowing>[0], json = false) {
  const { out, result } = listening()
  const code = await find(knowing(more), { email: ' Ada@Example.com ', json, linkKey }, out)
  return {
    code,
    result: result(),
    lines: result()
      .trimEnd()
      .split('\n')
      .map((line) => line.replaceAll(/ {2,}/g, ' | ')),
  }
}

it('tells what is known of an address, for reading and to programs', async () => {
  const known = { signedUp: { first: at(1), lifts: at(1) } }
  const { code, lines } = await said({ known })
  expect([code, lines[0]]).toEqual([
    0,
    'Address | ada@example.com | On the list: letters go to them.',
  ])
  expect(JSON.parse((await said({ known }, true)).result)).toMatchObject({
    email: 'ada@example.com',
    subscribedAt: at(1).toISOString(),
  })
})

it('ends with 3 where somebody is not on the list, whatever is known', async () => {
  expect(await said({})).toMatchObject({ code: 3 })
  expect(JSON.parse((await said({}, true)).result).subscribedAt).toBeNull()
  const { out } = listening()
  await expect(find(knowing({}), { email: 'ada', linkKey }, out)).rejects.toThrow(
    '"ada" is not an e-mail address.',
  )
})
