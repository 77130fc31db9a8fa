import { resolveTxt } from 'node:dns/promises'
import { look } from '../../checks/check.ts'
import { mailChecks } from '../../checks/mail.ts'
import type { ResolveTxt } from '../../checks/sender.ts'
import { mailCheckSettings } from '../../config/programs.ts'
import { smtpMailer } from '../../mail/smtp-mailer.ts'
import product from '../../product/product.ts'
import { findingNote } from '../../report/makers/finding.ts'
import { runWithStore, settingsOf } from '../run.ts'
import { sayNotes } from '../say-notes.ts'

/** While there is no letter yet. */
const picked = [
  'mail-server',
  'unsubscribing',
  'sender-record',
  'letter-no-postal-address',
] as const

interface CheckMailArguments {
  readonly dkimSelector?: string
  readonly dnsServer?: ResolveTxt
  readonly json?: boolean
}

/** `check-mail`: what every letter needs, with the DNS records that are missing. */
export async function fromCommandLine(options: CheckMailArguments): Promise<void> {
  const { smtpUrl, mailFrom, unsubscribeUrl } = settingsOf(mailCheckSettings)
  const mailer = smtpUrl ? smtpMailer({ url: smtpUrl }) : undefined
  const { dkimSelector, dnsServer = resolveTxt, json } = options
  const given = { product, mailer, mailFrom, unsubscribeUrl, dkimSelector, resolveTxt: dnsServer }
  await runWithStore({ looks: true }, async (store, out, { linkKey }) => {
    const found = await look(mailChecks, { ...given, store, linkKey }, picked)
    return sayNotes(
      found.map((one) => findingNote(one)),
      json,
      out,
    )
  }).finally(() => mailer?.close())
}
