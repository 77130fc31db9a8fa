import { Resolver } from 'node:dns/promises'
import type { ResolveTxt } from '../../checks/sender.ts'

/** The default share of a run's finished letters that may fail before it stops. */
export const USUAL_STOP_SHARE = '5%'

/** What each of these must be, as a mistake says it. */
export const SHARE_RULE = 'a share, such as 5%'
export const DNS_SERVER_RULE = 'an IP address, such as 1.1.1.1 or 127.0.0.1:5353'

/** `5%`, as a number from 0 to 1. @returns `undefined` for what is no share */
export function parseShare(text: string): number | undefined {
  const share = /^(\d{1,3}(\.\d+)?)%$/.exec(text)?.[1]
  return share === undefined || Number(share) > 100 ? undefined : Number(share) / 100
}

/** `50` or `1%`, as a number of the eligible. @returns `undefined` for anything else */
export function parseFirst(text: string): ((eligible: number) => number) | undefined {
  const share = parseShare(text)
  if (share !== undefined) return (eligible) => Math.ceil(eligible * share)
  return /^[1-9]\d{0,8}$/.test(text) ? () => Number(text) : undefined
}

/**
 * `1.1.1.1`: looks up at this server instead of the system's. @returns `undefined` for no address
 */
export function parseDnsServer(text: string): ResolveTxt | undefined {
  const resolver = new Resolver({ timeout: 5_000, tries: 2 })
  try {
    resolver.setServers([text])
  } catch {
    return undefined
  }
  return (name) => resolver.resolveTxt(name)
}
