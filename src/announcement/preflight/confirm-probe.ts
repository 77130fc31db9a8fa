import type { AddressIds } from '../../keys/address-id.ts'
import type { ConfirmationKeys } from '../../keys/confirmation-keys.ts'
import type { Outbox } from '../../store/outbox.ts'
import { statusOf } from './status-of.ts'

/** Nobody's: `.invalid` never receives mail (RFC 2606). */
const PROBE = 'probe@confirm.invalid'
const NO_TOKEN = 'A'.repeat(44)

/**
 * Looks at the page behind a confirmation letter as its reader would: only a server with our key and
 * our subscribers knows somebody who is asked at this moment. Leaves nothing behind.
 *
 * @param url where confirmation links lead, without a slash at the end.
 * @returns what is wrong, in a sentence; `undefined` when it works. @throws StoreUnavailable
 */
export async function probeConfirm(
  url: string,
  store: Pick<Outbox, 'changePending' | 'sweepPending'>,
  ids: AddressIds,
  keys: ConfirmationKeys,
): Promise<string | undefined> {
  const now = new Date()
  const shown = { words: '', page: '', language: '' }
  const pending = { email: PROBE, askedAt: now, listedAt: now, shown, letters: 0 }
  const asked = { result: undefined, pending }
  await store.changePending(ids.of(PROBE), () => asked, PROBE)
  try {
    const status = await statusOf(`${url}/${keys.sign(ids.of(PROBE))}`)
    if (typeof status === 'string') return `${url} cannot be reached: ${status}`
    if (status === 404) return `${url} answers 404: it is another server: nobody could answer`
    if (status === 410)
      return `${url} answers, but not with this LINK_KEY and these subscribers: nobody could answer`
    if (status !== 200) return `${url} answers ${status} instead of 200`
    // A page that is there for every address would be somebody else's.
    if ((await statusOf(`${url}/${NO_TOKEN}`)) !== 410)
      return `${url} is not our page: nobody could answer`
    return undefined
  } finally {
    await store.sweepPending(({ email }) => (email === PROBE ? 'stayed' : undefined))
  }
}
