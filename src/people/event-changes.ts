import type { EventType } from '../shared/event-types.ts'
import type { Standing } from './standing.ts'

/** How an address stands, as far as other systems are told. */
export interface SeenPerson {
  readonly isOnList: boolean
  /** Why they are not mailed, if they are not. */
  readonly standing: Standing | undefined
  /** Of the receipt of their consent. */
  readonly confirmedAt: string | undefined
}

/**
 * What happened to somebody between two looks in one transaction. Nobody is reported who does not
 * count: who has yet to confirm, and who is quarantined, are told of once they do.
 */
export function eventsBetween(before: SeenPerson, after: SeenPerson): EventType[] {
  const [was, is] = [stateOf(before), stateOf(after)]
  const events: EventType[] = []
  if (is === 'in' && was !== 'in') events.push('subscribed')
  if (is === 'in' && after.confirmedAt && after.confirmedAt !== before.confirmedAt)
    events.push('confirmed')
  if (is === 'taken back' && was === 'in') events.push('left')
  // Also of somebody who was never reported: the receiver may have them from elsewhere.
  if (is === 'left' && was !== 'left' && was !== 'taken back') events.push('left')
  if (is === 'bounced' && was !== 'bounced') events.push('bounced')
  return events
}

function stateOf({ isOnList, standing = 'subscribed' }: SeenPerson) {
  if (standing === 'unsubscribed' || standing === 'complained') return 'left'
  if (standing === 'bounced') return 'bounced'
  if (standing === 'pending') return 'taken back'
  return standing === 'subscribed' && isOnList ? 'in' : 'nobody'
}
