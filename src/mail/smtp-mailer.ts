import { setTimeout as sleep } from 'node:timers/promises'
import type { SendMailOptions } from 'nodemailer'
import { isMailable, UNMAILABLE } from '../shared/mailable.ts'
import { isLoopback } from '../shared/open-url.ts'
import { connectBounded } from './bounded-socket.ts'
import { type Mailer, MailerUnusable } from './mailer.ts'
import { mailOf } from './mime.ts'
import { createTransport } from './nodemailer.ts'
import { answerOf, classify, withoutAddresses } from './smtp-outcome.ts'

export interface SmtpMailerOptions {
  /** `smtp://user:pass@host:port`, or `smtps:` for TLS from the first byte. */
  readonly url: string
  readonly connections?: number
  readonly timeouts?: SmtpTimeouts
}

/** All in milliseconds. */
export interface SmtpTimeouts {
  readonly connect: number
  /** Longest silence of the server. If it is too short, slow messages become `uncertain`. */
  readonly silence: number
  /** For a whole message, against a server that answers byte by byte. */
  readonly message: number
}

/** In bytes; many times what any server sends. */
const LONGEST_ANSWER = 64_000

const defaultTimeouts: SmtpTimeouts = { connect: 30_000, silence: 300_000, message: 600_000 }

/** Sends over a pool of SMTP connections. @param options.url one that `isSmtpUrl` */
export function smtpMailer(options: SmtpMailerOptions): Mailer {
  const { url, connections = 5, timeouts = defaultTimeouts } = options
  const { hostname, username } = new URL(url)
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: connections,
    // The pool would retry by itself, but only the ledger may decide that.
    maxRequeues: 0,
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.connect,
    dnsTimeout: timeouts.connect,
    socketTimeout: timeouts.silence,
    maxResponseSize: LONGEST_ANSWER,
    // A password never crosses a network in the clear; a relay on this machine needs no
    // certificate.
    requireTLS: username !== '' && !isLoopback(hostname),
    ignoreTLS: isLoopback(hostname),
  })
  let roundTripMs = 0
  transport.getSocket = ({ host = 'localhost', port, secure }, done) => {
    connectBounded(host, Number(port) || (secure ? 465 : 587), timeouts.connect).then((socket) => {
      roundTripMs = socket.roundTripMs
      done(null, socket)
    }, done)
  }
  // The connection reads this stream, and sends the final dot after its end. A server accepts a
  // message only after that dot.
  transport.use('stream', (mail, done) => {
    const { message } = mail
    const { onWholeTaken, to } = mail.data as Watched
    message.processFunc((stream) => stream.once('end', onWholeTaken))
    // Nodemailer rewrites addresses, such as an angle bracket to a space. A letter goes to exactly
    // the stored address, or to none.
    const { from } = message.getEnvelope()
    message.getEnvelope = () => ({ from, to: [to.address] })
    done()
  })
  return {
    connections,
    async check() {
      try {
        await within(2 * timeouts.connect, transport.verify())
        return { roundTripMs }
      } catch (error) {
        throw new MailerUnusable(`${hostname}: ${answerOf(error)}`, { cause: error })
      }
    },
    async send(message) {
      if (!isMailable(message.to)) return { kind: 'refused', answer: UNMAILABLE }
      let wholeTaken = false
      const mail: Watched = {
        ...mailOf(message),
        signal: AbortSignal.timeout(timeouts.message),
        onWholeTaken: () => {
          wholeTaken = true
        },
      }
      try {
        const { response } = await transport.sendMail(mail)
        return { kind: 'accepted', answer: withoutAddresses(response) }
      } catch (error) {
        return classify(error, wholeTaken)
      }
    },
    close: () => transport.close(),
  }
}

/**
 * Limits the total time of a message, which Nodemailer does not. The timer ends with the work:
 * otherwise it would keep the result in memory, such as the megabyte of a hostile server, until it
 * ran out.
 */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController()
  try {
    return await Promise.race([work, tooLate(ms, ended.signal)])
  } finally {
    ended.abort()
  }
}

async function tooLate(ms: number, signal: AbortSignal): Promise<never> {
  await sleep(ms, undefined, { ref: false, signal })
  throw new Error(`its answer did not end within ${ms / 1000} s`)
}

/** Nodemailer passes further fields of a message to its plugins. */
interface Watched extends SendMailOptions {
  readonly to: { readonly name: string; readonly address: string }
  readonly onWholeTaken: () => void
}
