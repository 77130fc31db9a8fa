import type { FastifyBaseLogger } from 'fastify'
import type { OpeningWatch } from '../opening/watch-opening.ts'
import { crowdsOfAddresses } from '../sign-up/signs/crowd.ts'
import { addressSigns, suspicions } from '../sign-up/signs/signs.ts'
import type { BrowserRequests } from '../store/browser-requests.ts'
import type { Shown } from '../store/pending.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { untilClosed } from './repeat-until-closed.ts'

/** Nothing was seen of who left an address, but the address. */
const unseen = {
  network: undefined,
  isBeyondDay: false,
  headers: {},
  isHiddenFieldFilled: false,
  session: undefined,
}
/** A browser writes an address and a time: which build of the page it had before it, nobody knows. */
const UNKNOWN_BUILD = 'on Firebase'

/**
 * Has whoever signed up on a page without our server asked as well: takes in what their browsers
 * wrote, until it is closed.
 *
 * @param shown what our own build of the page shows; the words are those of the product.
 * @param opening whether it is open: a browser does not write which of the two it showed.
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
      // The store says by itself when it is away. A message could quote what was written.
      if (!(cause instanceof StoreUnavailable))
        log.warn(`What browsers wrote cannot be taken in: ${(cause as Error).name}`)
      return false
    }
  }, pauseMs)
}
