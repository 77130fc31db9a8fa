import { randomBytes } from 'node:crypto'
import { probeAddress } from '../../shared/probe-address.ts'
import { RECORDS_A_USER } from '../../shared/record-id.ts'
import type { Answer, Fields, firebaseStranger } from './firebase-stranger.ts'
import type { ForbiddenCode } from './found.ts'

export type Stranger = ReturnType<typeof firebaseStranger>

interface ForbiddenCall {
  readonly code: ForbiddenCode
  /** What is read beside the list. */
  readonly about?: string
  readonly run: () => Promise<Answer>
}

const besideList = ['standings', 'suppressions', 'announcements', 'outbox', 'pending', 'state']

/**
 * The calls of a signed-in attacker; the rules refuse each. A write that is taken all the same
 * leaves an address that does not count, or none.
 *
 * @param own the id of this visitor's record. @param fields what is in it, without the time.
 */
export function forbidden(stranger: Stranger, own: string, fields: Fields): ForbiddenCall[] {
  let place = 0
  /**
   * Writes where the rules would take a valid record, so that only its mistake can be refused.
   */
  async function add(wrong: Fields, serverTime = true) {
    place += 1
    return stranger.commit(await stranger.idAt(place), { ...fields, ...wrong }, serverTime)
  }
  const addAt = (id: string) => stranger.commit(id, fields, true)
  const call = (code: ForbiddenCode, run: () => Promise<Answer>) => ({ code, run })

  return [
    call('read-own', () => stranger.read(own)),
    call('read-list', stranger.list),
    ...(stranger.confirm
      ? [
          call('add-unconfirmed', () => stranger.addToList(own, fields)),
          call('read-requests', stranger.listRequests),
        ]
      : []),
    ...besideList.map((about) => ({
      code: 'read-beside' as const,
      about,
      run: () => stranger.beside(about),
    })),
    call('change', () => stranger.change(own)),
    call('write-over', () => stranger.commit(own, fields, true, false)),
    call('third-field', () => add({ name: { stringValue: 'check' } })),
    call('long-field', () => add({ name: { stringValue: 'x'.repeat(900_000) } })),
    call('long-address', () =>
      add({ email: { stringValue: `${'x'.repeat(900_000)}@opening-bell.invalid` } }),
    ),
    call('no-address', () => add({ email: { stringValue: 'check' } })),
    call('own-time', () =>
      add({ subscribedAt: { timestampValue: '2020-01-01T00:00:00Z' } }, false),
    ),
    call('guessed-id', () => addAt(probeAddress())),
    call('random-id', () => addAt(randomBytes(10).toString('hex'))),
    call('too-many', async () => addAt(await stranger.idAt(RECORDS_A_USER))),
    // Last, since it would take the record away.
    call('delete', () => stranger.remove(own)),
  ]
}
