import { addressIds } from '../src/shared/address-id.ts'

/** A `LINK_KEY` for tests, and the ids of addresses that go with it. */
export const linkKey = Buffer.from('a key of these tests, and only of them')
export const ids = addressIds(linkKey)
