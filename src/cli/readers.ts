import { parseRate, RATE_RULE } from '../announcement/sending/rate.ts'
import {
  DNS_SERVER_RULE,
  parseDnsServer,
  parseFirst,
  parseShare,
  SHARE_RULE,
} from '../announcement/sending/sending-numbers.ts'
import { settings } from '../config/settings.ts'
import { features } from '../features/all.ts'
import { brakes } from '../shared/held-letters.ts'
import { parseKeepRule } from '../shared/keep-rule.ts'
import { deliveryStatuses } from '../store/delivery-ledger.ts'
import { exportFormats, formats } from '../tables/format-names.ts'

/** The values of an option, or how one is read: `undefined` for what is not as it must be. */
type Reader =
  | { readonly choices: readonly string[] }
  | { readonly parse: (text: string) => unknown; readonly must: string }

const matching = (pattern: RegExp, must: string): Reader => ({
  parse: (text) => (pattern.test(text) ? text : undefined),
  must,
})

const numberLike = (pattern: RegExp, must: string): Reader => ({
  parse: (text) => (pattern.test(text) ? Number(text) : undefined),
  must,
})

/** Those in whose order a letter can go. */
const orders = features.filter(({ hasOrder }) => hasOrder).map(({ rules }) => rules.name)

/** What options take, by the names in their descriptions. */
export const readers: Readonly<Record<string, Reader>> = {
  brake: { choices: brakes },
  deliveryStatus: { choices: deliveryStatuses },
  exportFormat: { choices: exportFormats },
  format: { choices: formats },
  count: numberLike(/^[1-9]\d{0,8}$/, 'the count that the command showed'),
  seconds: numberLike(/^[1-9]\d{0,4}$/, 'a whole number of seconds'),
  offset: matching(/^[+-](0\d|1[0-4]):[0-5]\d$/, 'like +02:00'),
  dnsServer: { parse: parseDnsServer, must: DNS_SERVER_RULE },
  encoding: { parse: encodingOf, must: 'an encoding, such as windows-1252 or shift_jis' },
  first: { parse: parseFirst, must: 'a number, such as 50, or a share, such as 1%' },
  keepRule: { parse: (text) => parseKeepRule(text) && text, must: settings.BACKUP_KEEP.rule },
  order: { choices: ['sign-up', ...orders] },
  problems: {
    parse: problemsIn,
    must: 'the names that the command shows with its problems, such as spf,dmarc',
  },
  rate: { parse: parseRate, must: RATE_RULE },
  share: { parse: parseShare, must: SHARE_RULE },
}

function encodingOf(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding
  } catch {
    return undefined
  }
}

function problemsIn(text: string): string[] | undefined {
  const isList = /^[a-z][a-z-]*(,[a-z][a-z-]*)*$/i.test(text)
  return isList ? text.toLowerCase().split(',') : undefined
}
