import type { ServerGiven, ServerPart } from '../feature.ts'
import { friendCodes } from './codes.ts'

/** Notes who referred a visitor, and gives the code of a personal link to who confirmed. */
export function serverPart({ linkKey }: ServerGiven): ServerPart {
  const codes = friendCodes(linkKey)
  return { saidBy: (code) => ({ referredBy: codes.read(code) }), slotOf: codes.of }
}
