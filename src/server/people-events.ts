import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { EventSettings } from '../config/event-settings.ts'
import { feedPlace, receiverAt } from '../events/receiver.ts'
import { type SendingEvents, sendEvents } from '../events/send-events.ts'
import type { Events } from '../store/events.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'

const BEGIN_WITHIN_MS = 2000

/** Sends what becomes of people to the receiver of the settings, until it is closed. */
export async function tellOfPeople(
  events: Events,
  { url, types, secrets }: EventSettings,
  linkKey: Buffer,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<SendingEvents> {
  const sending = sendEvents({
    events,
    receiver: receiverAt({ url, secrets }),
    types,
    place: feedPlace(linkKey, url),
    log: (message) => log.warn(message),
  })
  // Before the first sign-up, so that it is told. A store that is away does not delay the page.
  const begun = sending.begin().catch((cause) => {
    if (!(cause instanceof StoreUnavailable)) throw cause
  })
  await Promise.race([begun, sleep(BEGIN_WITHIN_MS, undefined, { ref: false })])
  sending.run()
  return sending
}
