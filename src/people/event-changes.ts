import type { EventType } from '../shared/event-types.ts'
import { replyIn } from '../shared/reply.ts'
import { consentIn } from './pending.ts'
import { isOnList, type Person, whyNotMailed } from './person.ts'

/**
 * What happened to somebody between two looks in one transaction. Nobody is reported who does not
 * count: who has yet to confirm, and who is quarantined, are told of once they do.
 */
export function eventsBetween(before: Person, after: Person): EventType[] {
  const [was, is] = [stateOf(before), stateOf(after)]
  const isNew = (said: (one: Person) => string | undefined) =>
    is === 'in' && said(after) !== undefined && said(after) !== said(before)
  const events: EventType[] = []
  if (is === 'in' && was !== 'in') events.push('subscribed')
  if (isNew(({ fields }) => consentIn(fields)?.confirmedAt)) events.push('confirmed')
  if (isNew(({ fields }) => replyIn(fields))) events.push('answered')
  if (is === 'taken back' && was === 'in') events.push('left')
  // Also of somebody who was never reported: the receiver may have them from elsewhere.
  if (is === 'left' && was !== 'left' && was !== 'taken back') events.push('left')
  if (is === 'bounced' && was !== 'bounced') events.push('bounced')
  return events
}

function stateOf(one: Person) {
  const { standing = 'subscribed' } = whyNotMailed(one) ?? {}
  if (standing === 'unsubscribed' || standing === 'complained') return 'left'
  if (standing === 'bounced') return 'bounced'
  if (standing === 'pending') return 'taken back'
  return standing === 'subscribed' && isOnList(one) ? 'in' : 'nobody'
}
