import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { recordId } from '../../src/shared/record-id.ts'

it('gives each user ten places that say nothing of the user, the same in every version', async () => {
  const uid = 'a user of 28 random characters'
  for (const place of [0, 9]) {
    // What the rules compute: Firestore's `hashing.sha256`, as text.
    const hash = createHash('sha256').update(`${uid}/${place}`).digest('hex')
    expect(await recordId(uid, place)).toBe(hash)
  }
  expect(await recordId(uid, 0)).not.toBe(await recordId('another', 0))
})
