import { randomBytes } from 'node:crypto'
import { probeAddress } from '../../shared/probe-address.ts'
import { RECORDS_A_USER } from '../../shared/record-id.ts'
import type { Answer, Fields, firebaseStranger } from './firebase-stranger.ts'

export type Stranger = ReturnType<typeof firebaseStranger>

interface ForbiddenCall {
  readonly what: string
  readonly doing: string
  readonly run: () => Promise<Answer>
}

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
  const call = (what: string, doing: string, run: () => Promise<Answer>) => ({ what, doing, run })

  return [
    call('One record', 'reading', () => stranger.read(own)),
    call('The list', 'reading', stranger.list),
    ...(stranger.confirm
      ? [
          call('The list', 'adding without confirmation', () => stranger.addToList(own, fields)),
          call('Who has yet to confirm', 'reading', stranger.listRequests),
        ]
      : []),
    ...['standings', 'suppressions', 'announcements', 'outbox', 'pending', 'state'].map((name) =>
      call('Beside the list', `reading ${name}`, () => stranger.beside(name)),
    ),
    call('One record', 'changing', () => stranger.change(own)),
    call('One record', 'writing over', () => stranger.commit(own, fields, true, false)),
    call('A new record', 'a third field', () => add({ name: { stringValue: 'check' } })),
    call('A new record', 'a field of 900 kB', () =>
      add({ name: { stringValue: 'x'.repeat(900_000) } }),
    ),
    call('A new record', 'an address of 900 kB', () =>
      add({ email: { stringValue: `${'x'.repeat(900_000)}@opening-bell.invalid` } }),
    ),
    call('A new record', 'no address', () => add({ email: { stringValue: 'check' } })),
    call('A new record', "a time of one's own", () =>
      add({ subscribedAt: { timestampValue: '2020-01-01T00:00:00Z' } }, false),
    ),
    call('A new record', 'an id that can be guessed', () => addAt(probeAddress())),
    call('A new record', 'a random id', () => addAt(randomBytes(10).toString('hex'))),
    call('A new record', `more than ${RECORDS_A_USER} for one user`, async () =>
      addAt(await stranger.idAt(RECORDS_A_USER)),
    ),
    // Last, since it would take the record away.
    call('One record', 'deleting', () => stranger.remove(own)),
  ]
}
