import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { isAsciiName } from '../shared/mailable.ts'
import { isLoopback } from '../shared/open-url.ts'
import { connectBounded } from './bounded-socket.ts'
import type { SendOutcome } from './mailer.ts'
import { parseConnectionUrl, SmtpConnection } from './nodemailer.ts'
import { classify, withoutAddresses } from './smtp-outcome.ts'
import { boundPipelining, type Envelope, refusalOf, takes } from './smtp-pipelining.ts'

/** All in milliseconds. */
export interface SmtpTimeouts {
  readonly connect: number
  /** Longest silence of the server. If it is too short, slow messages become `uncertain`. */
  readonly silence: number
  /** For a whole message, against a server that answers byte by byte. */
  readonly message: number
}

export type SmtpSession = Awaited<ReturnType<typeof openSession>>

/** In bytes; many times what any server sends. */
const LONGEST_ANSWER = 64_000
/** In bytes. */
const SLICE = 16_384
/** RFC 8314, 3.3: TLS from the first byte is usual at port 465. */
const SILENT =
  'says nothing. If it speaks TLS from the first byte, as port 465 does, begin SMTP_URL with smtps://'
const ASCII_ONLY: SendOutcome = {
  kind: 'refused',
  answer: 'the mail server takes no address with letters outside ASCII (no SMTPUTF8)',
  says: 'ascii-only',
}

/**
 * Connects to a mail server and logs in, for one letter after the other.
 *
 * @param url as `SMTP_URL` may be. @throws what Nodemailer reports
 */
export async function openSession(url: string, timeouts: SmtpTimeouts, signal: AbortSignal) {
  const { hostname, username } = new URL(url)
  const { host = 'localhost', auth, ...given } = parseConnectionUrl(url)
  const port = Number(given.port) || (given.secure ? 465 : 587)
  const { connection, roundTripMs } = await connectBounded(host, port, timeouts.connect)
  const smtp = new SmtpConnection({
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.connect,
    socketTimeout: timeouts.silence,
    maxResponseSize: LONGEST_ANSWER,
    // A password never crosses a network in the clear; a relay on this machine needs no
    // certificate.
    requireTLS: username !== '' && !isLoopback(hostname),
    ignoreTLS: isLoopback(hostname),
    ...given,
    host,
    port,
    connection,
  })
  const answer = answersOf(smtp)
  try {
    await answer(signal, (done) => smtp.connect(done))
    if (auth && smtp.allowsAuth) await answer(signal, (done) => smtp.login(auth, done))
  } catch (error) {
    smtp.close()
    const isSilent = (error as { code?: string }).code === 'ETIMEDOUT' && !smtp.lastServerResponse
    throw isSilent && !given.secure ? new Error(SILENT, { cause: error }) : error
  }

  boundPipelining(smtp, `${host}:${port}`, timeouts.connect)
  const session = {
    roundTripMs,
    /** Whether an address may have a local part outside ASCII (RFC 6531). */
    takesUtf8: takes(smtp, 'SMTPUTF8'),
    isOpen: () => !smtp.destroyed,
    /** Letters that the server took. */
    delivered: 0,
    async send(from: string, to: string, mime: Buffer, signal: AbortSignal): Promise<SendOutcome> {
      if (!session.takesUtf8 && !isAsciiName(to)) return ASCII_ONLY
      const outcome = await sendOver(smtp, answer, { from, to: [to] }, mime, signal)
      if (outcome.kind === 'accepted') session.delivered += 1
      return outcome
    },
    /** Ends the transaction of a letter that was refused; else the connection. */
    reset: () =>
      answer(AbortSignal.timeout(timeouts.silence), (done) => smtp.reset(done)).catch(() =>
        smtp.close(),
      ),
    close: () => smtp.close(),
  }
  return session
}

type Done<T> = (error?: Error | null, answer?: T) => void

/** @returns a function that waits for an answer, or for the end of the connection or of the time. */
function answersOf(smtp: SmtpConnection) {
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  smtp.on('error', lost.reject)
  smtp.on('end', () => lost.reject(new Error('The connection was closed')))

  return async <T>(signal: AbortSignal, ask: (done: Done<T>) => void): Promise<T> => {
    const stop = () => {
      lost.reject(signal.reason)
      smtp.close()
    }
    signal.addEventListener('abort', stop)
    try {
      if (signal.aborted) stop()
      return await Promise.race([lost.promise, promisify(ask)() as Promise<T>])
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
}

async function sendOver(
  smtp: SmtpConnection,
  answer: ReturnType<typeof answersOf>,
  envelope: Envelope,
  mime: Buffer,
  signal: AbortSignal,
): Promise<SendOutcome> {
  // The connection reads this stream, and sends the final dot after its end. A server accepts a
  // message only after that dot.
  const stream = Readable.from(slices(mime), { objectMode: false })
  try {
    const { response } = await answer<{ readonly response: string }>(signal, (done) =>
      smtp.send(envelope, stream, done),
    )
    return { kind: 'accepted', answer: withoutAddresses(response) }
  } catch (error) {
    // The connection may end between a refusal and the answer to DATA.
    return classify(refusalOf(envelope) ?? error, stream.readableEnded)
  }
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE)
}
