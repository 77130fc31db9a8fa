import type { FastifyBaseLogger } from 'fastify'
import type { ConfirmationSettings, ServerSettings } from '../config/programs.ts'
import type { Mailer } from '../mail/mailer.ts'
import { smtpMailer } from '../mail/smtp-mailer.ts'
import { letterRule } from '../people/letter-rule.ts'
import { languagesOf } from '../product/languages.ts'
import product from '../product/product.ts'
import { type Running, rounds } from '../queue/sending-round.ts'
import { confirmPath } from '../shared/api.ts'
import { confirmationLetter, marksOf } from '../sign-up/confirmation-letter.ts'
import { letterRounds } from '../sign-up/deliver.ts'
import type { Requests } from '../store/store.ts'

/** Shorter than for an announcement: a visitor waits for this letter, and others behind it. */
const timeouts = { connect: 15_000, silence: 60_000, message: 120_000 }

/**
 * Sends the letters that sign-ups ask for, until it is closed.
 *
 * @param everyMs how often it looks for due letters, in milliseconds.
 * @param watched wraps the mailer to count its letters.
 */
export function sendConfirmationLetters(
  requests: Requests,
  { publicUrl }: Pick<ServerSettings, 'publicUrl'>,
  { smtpUrl, mailFrom }: ConfirmationSettings,
  linkKey: Buffer,
  log: Pick<FastifyBaseLogger, 'warn'>,
  everyMs: number,
  watched: (mailer: Mailer) => Mailer = (mailer) => mailer,
): Running {
  const confirmUrl = `${publicUrl}${confirmPath}`
  const letter = confirmationLetter({
    product,
    languages: languagesOf(product),
    from: mailFrom,
    confirmUrl,
    linkKey,
  })
  const decide = letterRule(marksOf(letter))
  const say = (message: string) => log.warn(message)
  const mailer = watched(smtpMailer({ url: smtpUrl, timeouts }))
  const times = { look: everyMs }
  return rounds(letterRounds({ requests, mailer, decide, letter, log: say, times }))
}
