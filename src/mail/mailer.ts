import type { Says } from './smtp-answers.ts'

/** The port for sending messages; `smtpMailer` is its adapter. */
export interface Mailer {
  /**
   * How many messages can be sent at the same time; more than that wait. It falls where the server
   * takes fewer connections.
   */
  readonly connections: number

  /**
   * Connects, authenticates and disconnects. @returns the time of a round trip, and whether the server
   * takes no local part outside ASCII.
   *
   * @throws MailerUnusable
   */
  check(): Promise<{ readonly roundTripMs: number; readonly isAsciiOnly?: boolean }>

  /** Sends one message to one recipient; a fault of the network is an outcome, not an exception. */
  send(message: Message): Promise<SendOutcome>

  /** Finishes the messages under way and closes the connections. */
  close(): void
}

export interface Message {
  /** An address, or a name with an address in angle brackets. */
  readonly from: string
  readonly replyTo: string | undefined
  /** The address alone. */
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  /** With its angle brackets. */
  readonly messageId: string
  readonly headers: Readonly<Record<string, string>>
  /** Pictures that the HTML names as `cid:…`. */
  readonly pictures: readonly { readonly cid: string; readonly png: Buffer }[]
  /** That of the letter, where the announcement has several. It is noted, and not sent. */
  readonly language?: string | undefined
}

export interface SendOutcome {
  /**
   * - `accepted`: the server said yes.
   * - `refused`: it does not take this message for this recipient, and never will (5xx).
   * - `deferred`: it asks to try again later (4xx).
   * - `unsent`: the connection failed before the whole message was given; it cannot have left.
   * - `uncertain`: the connection failed after that, before an answer; it may have left.
   * - `unusable`: the server does not accept our credentials or our sender, or takes no more letters
   *   of ours today; no recipient can be reached.
   */
  readonly kind: 'accepted' | 'refused' | 'deferred' | 'unsent' | 'uncertain' | 'unusable'
  /** What the server or the network said, on one line, addresses taken out. */
  readonly answer: string
  /** What the answer is about, where that is not the recipient. `ascii-only`: it was not asked. */
  readonly says?: Says | 'ascii-only'
  /** How long the server asks to wait, in milliseconds. */
  readonly waitMs?: number
}

/** Whether an answer is about how much we send, and not about its recipient. */
export const isAboutUs = (says: SendOutcome['says']) => says !== undefined && says !== 'greylisting'

/** The mail server cannot be reached or does not let us in. Its message is one plain sentence. */
export class MailerUnusable extends Error {
  override readonly name = 'MailerUnusable'
}
