import type { SmtpConnection } from './nodemailer.ts'

/** Of a letter, as Nodemailer takes it. */
export interface Envelope {
  readonly from: string
  readonly to: string[]
  /** Nodemailer notes these. */
  readonly pipelined?: boolean
  readonly mailError?: Error
  readonly rejectedErrors?: readonly Error[]
}

/** The answer that refused the sender or the only recipient. */
export const refusalOf = ({ mailError, rejectedErrors: [first] = [] }: Envelope) =>
  mailError ?? first

/** What Nodemailer keeps to itself. */
interface Inner {
  _supportedExtensions: string[]
  readonly _envelope: Envelope
  _advanceEnvelope(said: string, done: unknown): void
  _actionDATA(said: string, done: unknown): void
}

const innerOf = (smtp: SmtpConnection) => smtp as unknown as Inner

/** Whether the server has an extension. */
export const takes = (smtp: SmtpConnection, extension: string) =>
  innerOf(smtp)._supportedExtensions.includes(extension)

/** Servers, by host and port, that take DATA though they refused the only recipient, or never answer it. */
const failAtPipelining = new Set<string>()

/**
 * With PIPELINING, Nodemailer gives DATA before it knows whether the recipient was refused. Where the
 * server takes that all the same, it would wait for the end of an empty message, which not every server
 * sees; and a server may leave that DATA without an answer. Such a connection is closed, and the next
 * ones to that server go without.
 *
 * @param server by host and port. @param withinMs how long it may be silent after a refusal.
 */
export function boundPipelining(smtp: SmtpConnection, server: string, withinMs: number): void {
  const inner = innerOf(smtp)
  if (failAtPipelining.has(server))
    inner._supportedExtensions = inner._supportedExtensions.filter((one) => one !== 'PIPELINING')
  const close = () => {
    failAtPipelining.add(server)
    smtp.close()
  }
  let silence: NodeJS.Timeout | undefined
  const [advance, answerData] = [inner._advanceEnvelope.bind(smtp), inner._actionDATA.bind(smtp)]
  inner._advanceEnvelope = (said, done) => {
    advance(said, done)
    clearTimeout(silence)
    if (inner._envelope.pipelined && refusalOf(inner._envelope))
      silence = setTimeout(close, withinMs).unref()
  }
  inner._actionDATA = (said, done) => {
    clearTimeout(silence)
    if (!said.startsWith('3') || !refusalOf(inner._envelope)) return answerData(said, done)
    close()
  }
}
