import { describe, expect, it } from 'vitest'
import { keepAnnouncement } from '../../fixtures/keep-announcement.ts'
import { ids } from '../../fixtures/keys.ts'
import { namedStage as stage } from '../../fixtures/named-stage.ts'
import { receipt } from '../../fixtures/receipt.ts'
import { restoreKnown } from '../../fixtures/restored.ts'
import { person } from '../../store/contracts/people.ts'

const emails = (...numbers: number[]) => numbers.map((n) => person(n).email)

describe('those who would be written to', () => {
  it('have those last who did not answer whether they are still interested, and nobody less', async () => {
    const { runAsNamed, named, inboxes, store } = await stage(6)
    const at = new Date(Date.now() - 86_400_000)
    const asked = [1, 3, 5].map((n) => ({ email: person(n).email, at }))
    await keepAnnouncement(store, 'still-interested-may', at, asked)
    expect(await named()).toEqual(emails(2, 4, 6, 1, 3, 5))
    await store.standings.stayInterested(ids.of(person(3).email))
    const confirmed = { consent: receipt() }
    await restoreKnown(store, [{ addressId: ids.of(person(5).email), extra: confirmed }])
    expect(await named()).toEqual(emails(2, 3, 4, 5, 6, 1))
    expect(await runAsNamed({ first: () => 2 })).toEqual(emails(2, 3))
    await store.list.add('new@example.com')
    expect(await runAsNamed({ first: () => 5 })).toEqual(emails(4, 5, 6))
    expect(await runAsNamed()).toEqual(emails(1))
    expect(inboxes()).toHaveLength(6)
    expect(await store.standings.of(person(1).email)).toBeUndefined()

    // Who was asked once more, and answered the first question alone, is silent again.
    const again = [3, 4].map((n) => ({ email: person(n).email, at: new Date() }))
    await keepAnnouncement(store, 'still-interested-june', new Date(Date.now() + 1), again)
    const later = { id: 'later', alsoWhoGot: 'all' } as const
    expect(await named(later)).toEqual([...emails(2, 5, 6), 'new@example.com', ...emails(1, 3, 4)])
  })
})
