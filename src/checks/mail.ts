import { addressIds } from '../keys/address-id.ts'
import { unsubscribeTokens } from '../keys/unsubscribe-token.ts'
import { type Mailer, MailerUnusable } from '../mail/mailer.ts'
import { senderDomain } from '../mail/sender.ts'
import { urlIn } from '../shared/api.ts'
import type { Finding } from '../shared/finding.ts'
import type { Product, ProductLanguage } from '../shared/product.ts'
import type { Store } from '../store/store.ts'
import { type Check, found } from './check.ts'
import { probeUnsubscribe } from './links.ts'
import { checkSenderRecords, type ResolveTxt } from './sender.ts'

/** What letters need; where a setting is missing, that is found. */
export interface MailParts extends OnHold {
  readonly store: Pick<Store, 'hold' | 'ledger' | 'checkWritable' | 'standings'>
  readonly product: Pick<Product, 'postalAddress'>
  readonly linkKey: Buffer
  readonly mailer: Pick<Mailer, 'check'> | undefined
  readonly mailFrom: string | undefined
  readonly unsubscribeUrl: string | undefined
  /** Those that links of letters lead to pages in; left out, there is one. */
  readonly languages?: readonly Pick<ProductLanguage, 'path'>[] | undefined
  readonly dkimSelector?: string | undefined
  readonly resolveTxt: ResolveTxt
  /** How many of those who get it have a local part outside ASCII. */
  readonly outsideAscii?: number | undefined
}

/** A list from a copy: the operator has to say that it is right. */
export const listOnHold = {
  code: 'list-on-hold',
  async probe({ store, id, mayBeToldAlready }: OnHold) {
    const hold = await store.hold.get()
    const isKnown = id !== undefined && (await store.ledger.findAnnouncement(id)) !== undefined
    const mayLeave = !hold || (hold.isBelieved && isKnown && !mayBeToldAlready)
    return mayLeave ? [] : [found('list-on-hold', 'fatal', { at: hold.since.getTime() })]
  },
} as const

interface OnHold {
  readonly store: Pick<Store, 'hold' | 'ledger'>
  /** Of the announcement: one that a copy with a right seal knows goes on. */
  readonly id?: string | undefined
  /** Whether it is for newcomers, or those that failed: since the copy was made, they may have got it. */
  readonly mayBeToldAlready?: boolean | undefined
}

/** Everything that could spoil any letter. A probe throws `StoreUnavailable` where it needs the store. */
export const mailChecks: readonly Check<MailParts, Finding>[] = [
  listOnHold,
  { code: 'mail-server', probe: probeMailServer },
  {
    code: 'database',
    async probe({ store }) {
      const began = performance.now()
      await store.checkWritable()
      return [{ code: 'database', verdict: 'fine', ms: performance.now() - began }]
    },
  },
  {
    code: 'unsubscribing',
    async probe({ unsubscribeUrl, languages = [{ path: '' }], store, linkKey }) {
      if (!unsubscribeUrl) return notSet('PUBLIC_URL')
      const [ids, tokens] = [addressIds(linkKey), unsubscribeTokens(linkKey)]
      const ways: Finding[] = []
      // One after the other: each looks whether its own press arrived.
      for (const url of new Set(languages.map(({ path }) => urlIn(unsubscribeUrl, path))))
        ways.push(await probeUnsubscribe(url, store.standings, ids, tokens))
      return ways
    },
  },
  {
    code: 'sender-record',
    probe({ mailFrom = '', dkimSelector, resolveTxt }) {
      const domain = senderDomain(mailFrom)
      return domain ? checkSenderRecords(domain, dkimSelector, resolveTxt) : notSet('MAIL_FROM')
    },
  },
  { code: 'letter-no-postal-address', probe: ({ product }) => checkPostalAddress(product) },
]

/** What is looked at before letters leave: the check of a letter itself looks for the postal address. */
export const beforeLetters = mailChecks
  .map(({ code }) => code)
  .filter((code) => code !== 'letter-no-postal-address')

const notSet = (about: 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL'): Finding[] => [
  { code: 'mail-not-set', verdict: 'problem', about },
]

export const checkPostalAddress = ({ postalAddress }: Pick<Product, 'postalAddress'>): Finding[] =>
  postalAddress ? [] : [{ code: 'letter-no-postal-address', verdict: 'note' }]

/** Whether the mail server lets us in, and how far away it is. */
export async function probeMailServer({
  mailer,
  outsideAscii = 0,
}: Pick<MailParts, 'mailer' | 'outsideAscii'>): Promise<Finding[]> {
  if (!mailer) return notSet('SMTP_URL')
  try {
    const { roundTripMs, isAsciiOnly = false } = await mailer.check()
    const server: Finding = { code: 'mail-server', verdict: 'fine', ms: roundTripMs }
    return isAsciiOnly && outsideAscii > 0
      ? [server, { code: 'mail-ascii-only', verdict: 'note', people: outsideAscii }]
      : [server]
  } catch (error) {
    if (!(error instanceof MailerUnusable)) throw error
    return [{ code: 'mail-server', verdict: 'fatal', answer: error.message }]
  }
}
