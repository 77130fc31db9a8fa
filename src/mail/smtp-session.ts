import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { isAsciiName } from '../shared/mailable.ts'
import { isLoopback } from '../shared/open-url.ts'
import { connectBounded } from './bounded-socket.ts'
import type { SendOutcome } from './mailer.ts'
import { parseConnectionUrl, SmtpConnection } from './nodemailer.ts'
import { classify, withoutAddresses } from './smtp-outcome.ts'

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

/** Servers, by host and port, that take DATA though they refused the only recipient, or never answer it. */
const failAtPipelining = new Set<string>()

/**
 * Connects to a mail server and logs in, for one letter after the other.
 *
 * @param url one that `isSmtpUrl`. @throws what Nodemailer reports
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
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  smtp.on('error', lost.reject)
  smtp.on('end', () => lost.reject(new Error('The connection was closed')))

  type Done<T> = (error?: Error | null, answer?: T) => void
  /** Waits for an answer, or for the end of the connection or of the time. */
  async function answer<T>(signal: AbortSignal, ask: (done: Done<T>) => void): Promise<T> {
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

  try {
    await answer(signal, (done) => smtp.connect(done))
    if (auth && smtp.allowsAuth) await answer(signal, (done) => smtp.login(auth, done))
  } catch (error) {
    smtp.close()
    const isSilent = (error as { code?: string }).code === 'ETIMEDOUT' && !smtp.lastServerResponse
    throw isSilent && !given.secure ? new Error(SILENT, { cause: error }) : error
  }

  // Nodemailer keeps the extensions, and how it understands an answer, to itself. With PIPELINING it
  // gives DATA before it knows whether the recipient was refused. Where the server takes that all the
  // same, it would wait for the end of an empty message, which not every server sees; and a server may
  // leave that DATA without an answer.
  const inner = smtp as unknown as {
    _supportedExtensions: string[]
    _envelope: Envelope
    _advanceEnvelope(said: string, done: unknown): void
    _actionDATA(said: string, done: unknown): void
  }
  const takesUtf8 = inner._supportedExtensions.includes('SMTPUTF8')
  if (failAtPipelining.has(`${host}:${port}`))
    inner._supportedExtensions = inner._supportedExtensions.filter((one) => one !== 'PIPELINING')
  const closeForData = () => {
    failAtPipelining.add(`${host}:${port}`)
    smtp.close()
  }
  let silence: NodeJS.Timeout | undefined
  const [advance, answerData] = [inner._advanceEnvelope.bind(smtp), inner._actionDATA.bind(smtp)]
  inner._advanceEnvelope = (said, done) => {
    advance(said, done)
    clearTimeout(silence)
    if (inner._envelope.pipelined && refusalOf(inner._envelope))
      silence = setTimeout(closeForData, timeouts.connect).unref()
  }
  inner._actionDATA = (said, done) => {
    clearTimeout(silence)
    if (!said.startsWith('3') || !refusalOf(inner._envelope)) return answerData(said, done)
    closeForData()
  }

  const session = {
    roundTripMs,
    /** Whether an address may have a local part outside ASCII (RFC 6531). */
    takesUtf8,
    isOpen: () => !smtp.destroyed,
    /** Letters that the server took. */
    delivered: 0,
    async send(from: string, to: string, mime: Buffer, signal: AbortSignal): Promise<SendOutcome> {
      if (!takesUtf8 && !isAsciiName(to)) return ASCII_ONLY
      // The connection reads this stream, and sends the final dot after its end. A server accepts a
      // message only after that dot.
      const stream = Readable.from(slices(mime), { objectMode: false })
      let wholeTaken = false
      stream.once('end', () => {
        wholeTaken = true
      })
      const envelope: Envelope = { from, to: [to] }
      try {
        const { response } = await answer<{ readonly response: string }>(signal, (done) =>
          smtp.send(envelope, stream, done),
        )
        session.delivered += 1
        return { kind: 'accepted', answer: withoutAddresses(response) }
      } catch (error) {
        // The connection may end between a refusal and the answer to DATA.
        return classify(refusalOf(envelope) ?? error, wholeTaken)
      }
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

interface Envelope {
  readonly from: string
  readonly to: string[]
  /** Nodemailer notes these. */
  readonly pipelined?: boolean
  readonly mailError?: Error
  readonly rejectedErrors?: readonly Error[]
}

/** The answer that refused the sender or the only recipient. */
const refusalOf = ({ mailError, rejectedErrors: [first] = [] }: Envelope) => mailError ?? first

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE)
}
