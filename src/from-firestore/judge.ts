import { crowdsOfAddresses } from '../sign-up/signs/crowd.ts'
import { addressSigns, suspicions } from '../sign-up/signs/suspicions.ts'
import type { FoundSignUp } from '../store/inbox.ts'

/** Nothing but the address is known of these visitors. */
const unseen = {
  network: undefined,
  isBeyondDay: false,
  headers: {},
  isHiddenFieldFilled: false,
  session: undefined,
}

/** Judges sign-ups in order, by windows of their own times. */
export function judge() {
  let at = 0
  const isCrowd = crowdsOfAddresses(() => at)
  const suspicionOf = suspicions(addressSigns)
  return (one: Pick<FoundSignUp, 'email' | 'at'>) => {
    at = one.at.getTime()
    const { email } = one
    return { isCrowd: isCrowd(email), suspicion: suspicionOf({ ...unseen, email, at }) }
  }
}

export type Judge = ReturnType<typeof judge>
