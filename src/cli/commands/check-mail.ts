import { resolveTxt } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { look } from '../../checks/check.ts'
import { type MailParts, mailChecks } from '../../checks/mail.ts'
import type { ResolveTxt } from '../../checks/sender.ts'
import { mailCheckSettings } from '../../config/programs.ts'
import { addressIds } from '../../keys/address-id.ts'
import type { Letter } from '../../mail/letter/letter.ts'
import { drawLogo } from '../../mail/letter/logo.ts'
import { messages } from '../../mail/letter/message.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { smtpMailer } from '../../mail/smtp-mailer.ts'
import { productFolder } from '../../product/folders.mjs'
import product from '../../product/product.ts'
import { findingNote } from '../../report/makers/finding.ts'
import { logoOn } from '../../shared/look.ts'
import type { Product } from '../../shared/product.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { runWithStore, settingsOf } from '../run.ts'
import { sayNotes } from '../say-notes.ts'
import { sayTest } from './announce.ts'

interface Asked {
  readonly to: string | undefined
  readonly json: boolean | undefined
}

type Options = MailParts & {
  readonly product: Product
  readonly mailer: Mailer | undefined
}

/** While there is no letter yet. */
const picked = [
  'mail-server',
  'unsubscribing',
  'sender-record',
  'letter-no-postal-address',
] as const

/**
 * Prints what every letter needs, with the DNS records that are missing, and sends a test.
 *
 * @returns the exit code. @throws StoreUnavailable
 */
export async function sayMail(options: Options, { to, json }: Asked, out: Out): Promise<number> {
  const email = to === undefined ? undefined : readEmail(to)
  const found = await look(mailChecks, options, picked)
  const notes = found.map((one) => findingNote(one))
  const code = await sayNotes(notes, json, out)
  if (email === undefined) return code
  const missing = found.flatMap((one) => (one.code === 'mail-not-set' ? [one.about] : []))
  await sendTest(options, missing, email, out)
  out.say(
    'When the test has arrived, look at its source ("Show original" in Gmail): that mailbox says there whether SPF, DKIM and DMARC passed.',
  )
  return code
}

async function sendTest(
  options: Options,
  missing: readonly string[],
  email: string,
  out: Out,
): Promise<void> {
  const { mailer, mailFrom = '', unsubscribeUrl, product, linkKey } = options
  if (!mailer || !unsubscribeUrl || missing.length > 0)
    throw new OperatorError(`To send a test, set ${missing.join(' and ')}.`)
  const letter: Letter = {
    subject: `A test from ${product.name}`,
    preview: '',
    from: mailFrom,
    replyTo: undefined,
    markdown: `This is how a letter from ${product.name} arrives. Your mailbox says in its source whether SPF, DKIM and DMARC passed.`,
  }
  const logo = await drawLogo(readFileSync(join(productFolder, logoOn(product, 'light'))))
  // With an id of its own: many mailboxes show only one of two messages with the same Message-ID.
  const announcement = `check-mail ${Date.now()}`
  const message = messages({ letter, product, logo, linkKey, unsubscribeUrl, announcement })
  const addressId = addressIds(linkKey).of(email)
  sayTest(await mailer.send(message({ addressId, email })), email, out)
}

interface CheckMailArguments {
  readonly to?: string
  readonly dkimSelector?: string
  readonly dnsServer?: ResolveTxt
  readonly json?: boolean
}

export async function fromCommandLine(options: CheckMailArguments): Promise<void> {
  const { to, json } = options
  const { smtpUrl, mailFrom, unsubscribeUrl } = settingsOf(mailCheckSettings)
  const mailer = smtpUrl ? smtpMailer({ url: smtpUrl }) : undefined
  const { dkimSelector, dnsServer = resolveTxt } = options
  const given = { product, mailer, mailFrom, unsubscribeUrl, dkimSelector, resolveTxt: dnsServer }
  await runWithStore({ looks: true }, (store, out, { linkKey }) =>
    sayMail({ ...given, store, linkKey }, { to, json }, out),
  ).finally(() => mailer?.close())
}
