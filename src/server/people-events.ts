import type { FastifyBaseLogger } from 'fastify'
import type { EventSettings } from '../config/event-settings.ts'
import { feedPlace, receiverAt } from '../events/receiver.ts'
import { eventRounds } from '../events/send-events.ts'
import { begun, type Running } from '../queue/round.ts'
import type { Events } from '../store/store.ts'

/** Sends what becomes of people to the receiver of the settings, until it is closed. */
export const tellOfPeople = (
  events: Events,
  { url, types, secrets }: EventSettings,
  linkKey: Buffer,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<Running> =>
  begun(
    eventRounds({
      events,
      receiver: receiverAt({ url, secrets }),
      types,
      place: feedPlace(linkKey, url),
      log: (message) => log.warn(message),
    }),
  )
