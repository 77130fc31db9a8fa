import type { Erasure } from '../store/inbox.ts'
import { isErasedBy } from '../store/inbox-rules.ts'
import type { Taking } from './collect-options.ts'

/** Each takes some answers of Google. */
const AT_ONCE = 20

/** Erases at Google what was forgotten here. */
export async function eraseThere(taking: Taking): Promise<void> {
  for (;;) {
    const some = await taking.collecting.erasures(AT_ONCE)
    await Promise.all(some.map((one) => eraseOne(taking, one)))
    if (some.length < AT_ONCE) return
  }
}

async function eraseOne({ inbox, collecting }: Taking, erasure: Erasure): Promise<void> {
  for (const among of ['list', 'requests'] as const)
    for await (const page of inbox.of(erasure.email, among)) {
      const ids = page.filter((found) => isErasedBy(erasure.at, found)).map(({ id }) => id)
      if (ids.length === 0) continue
      if (among === 'requests') await inbox.emptyRequests(ids)
      else {
        // Before, so that a stop in between leaves no count that is too high.
        await collecting.forgetDocuments('subscribers', ids)
        await inbox.remove(ids)
      }
    }
  await collecting.noteErased(erasure)
}
