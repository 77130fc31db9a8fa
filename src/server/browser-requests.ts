import type { FastifyBaseLogger } from 'fastify'
import type { OpeningWatch } from '../opening/watch-opening.ts'
import { crowdsOfAddresses } from '../sign-up/signs/crowd.ts'
import { addressSigns, suspicions } from '../sign-up/signs/signs.ts'
import type { BrowserRequests } from '../store/browser-requests.ts'
import type { Shown } from '../store/pending.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { untilClosed } from './repeat-until-closed.ts'

/** Nothing but the address is known of these visitors. */
const unseen = {
  network: undefined,
  isBeyondDay: false,
  headers: {},
  isHiddenFieldFilled: false,
  session: undefined,
}
/** A browser writes only an address and a time, so the build of its page is unknown. */
const UNKNOWN_BUILD = 'on Firebase'

/**
 * Takes in the requests of pages without our server, until it is closed, so that these visitors are
 * asked as well.
 *
 * @param shown the words of our own build of the page, which are the product's.
 * @param opening whether the page is open: a browser does not write which page it showed.
 * @param pauseMs between two looks that find nothing, in milliseconds.
 */
export function takeInBrowserRequests(
  requests: BrowserRequests,
  { page, openPage }: { readonly page: Shown; readonly openPage: Shown },
  opening: Pick<OpeningWatch, 'url'>,
  log: Pick<FastifyBaseLogger, 'warn'>,
  pauseMs: number,
): { close(): Promise<void> } {
  const isCrowd = crowdsOfAddresses()
  const suspicionOf = suspicions(addressSigns)
  const askedOf = (email: string) => ({
    shown: { ...(opening.url() === undefined ? page : openPage), page: UNKNOWN_BUILD },
    isCrowd: isCrowd(email),
    suspicion: suspicionOf({ ...unseen, email, at: Date.now() }),
  })
  return untilClosed(async () => {
    try {
      return await requests.takeIn(askedOf)
    } catch (cause) {
      // The store itself reports an outage. A message could quote data.
      if (!(cause instanceof StoreUnavailable))
        log.warn(`Requests of browsers cannot be taken in: ${(cause as Error).name}`)
      return false
    }
  }, pauseMs)
}
