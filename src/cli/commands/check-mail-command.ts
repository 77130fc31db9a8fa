import { resolveTxt } from 'node:dns/promises'
import { type Command, Option } from 'commander'
import type { ResolveTxt } from '../../checks/sender.ts'
import { mailCheckSettings } from '../../config/programs.ts'
import product from '../../product/product.ts'
import { readDnsServer } from '../announce/sending-options.ts'
import { run, runWithStore, settingsOf } from '../run.ts'

interface CheckMailArguments {
  readonly to?: string
  readonly received?: string
  readonly dkimSelector?: string
  readonly dnsServer?: ResolveTxt
  readonly json?: boolean
}

/** Gives the command its options and its help. */
export function describeCheckMail(command: Command): Command {
  return command
    .description('check that your letters will arrive, long before you send one')
    .option('--dkim-selector <name>', 'the selector of the DKIM key in the DNS')
    .option('--dns-server <address>', 'look up the DNS records there', readDnsServer)
    .addOption(
      new Option('--to <email>', 'send a test letter to this address').conflicts('received'),
    )
    .option(
      '--received <file>',
      'say whether a mailbox believed that this letter, saved as a file, is from your domain',
    )
    .addHelpText(
      'after',
      `
It looks at the mail server, the DNS records of MAIL_FROM's domain, and the unsubscribe link.

To be sure, send yourself a test with --to, save it where it arrived (Gmail: "Download original";
others: "Save as" or "Show source"), and give the file to --received. It prints what that mailbox
found. That proves more than the records in the DNS do.`,
    )
}

/** `check-mail`, as it comes from the command line. */
export async function checkMail(options: CheckMailArguments): Promise<void> {
  const { to, received, json } = options
  if (received !== undefined) {
    const { sayReceived } = await import('./received-letter.ts')
    return run({}, (out) => sayReceived(received, { json }, out))
  }
  const { smtpMailer } = await import('../../mail/smtp-mailer.ts')
  const { sayMail } = await import('./check-mail.ts')
  const { smtpUrl, mailFrom, unsubscribeUrl } = settingsOf(mailCheckSettings)
  const mailer = smtpUrl ? smtpMailer({ url: smtpUrl }) : undefined
  const { dkimSelector, dnsServer = resolveTxt } = options
  const given = { product, mailer, mailFrom, unsubscribeUrl, dkimSelector, resolveTxt: dnsServer }
  await runWithStore({ looks: true }, (store, out, { linkKey }) =>
    sayMail({ ...given, store, linkKey }, { to, json }, out),
  ).finally(() => mailer?.close())
}
