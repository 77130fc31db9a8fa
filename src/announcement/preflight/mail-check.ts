import { addressIds } from '../../keys/address-id.ts'
import { unsubscribeTokens } from '../../keys/unsubscribe-token.ts'
import { senderDomain } from '../../mail/letter/letter.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Found } from '../../shared/found.ts'
import type { Product } from '../../shared/product.ts'
import type { Standings } from '../../store/standing.ts'
import { probeUnsubscribe } from './link-probes.ts'
import { checkMailServer } from './preflight.ts'
import { checkSenderRecords, type ResolveTxt } from './sender-records.ts'

export interface MailCheckOptions {
  readonly standings: Standings
  readonly product: Pick<Product, 'postalAddress'>
  readonly linkKey: Buffer
  /** What follows is `undefined` where a setting is missing. */
  readonly mailer: Mailer | undefined
  readonly mailFrom: string | undefined
  readonly unsubscribeUrl: string | undefined
  readonly dkimSelector: string | undefined
  readonly resolveTxt: ResolveTxt
}

/**
 * Looks at what every letter needs, while there is none yet: what is missing is found, too.
 *
 * @throws StoreUnavailable
 */
export async function checkMail(options: MailCheckOptions): Promise<Found[]> {
  const { mailer, mailFrom = '', unsubscribeUrl, linkKey, standings } = options
  const domain = senderDomain(mailFrom)
  const notSet = (about: 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL'): Found[] => [
    { code: 'mail-not-set', verdict: 'problem', about },
  ]
  const looks = [
    mailer ? checkMailServer(mailer).then(({ found }) => [found]) : notSet('SMTP_URL'),
    unsubscribeUrl
      ? probeUnsubscribe(
          unsubscribeUrl,
          standings,
          addressIds(linkKey),
          unsubscribeTokens(linkKey),
        ).then((found) => [found])
      : notSet('PUBLIC_URL'),
    domain
      ? checkSenderRecords(domain, options.dkimSelector, options.resolveTxt)
      : notSet('MAIL_FROM'),
  ]
  const postal: Found = { code: 'letter-no-postal-address', verdict: 'note' }
  return [...(await Promise.all(looks)).flat(), ...(options.product.postalAddress ? [] : [postal])]
}
