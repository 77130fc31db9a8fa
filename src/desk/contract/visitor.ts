/**
 * How the server tells the desk's process who asks: headers that no client can send, as the server
 * takes theirs away, and nobody but the server reaches that process.
 */
export const deskHeaders = {
  prefix: 'x-desk-',
  /** What lets them in. */
  by: 'x-desk-by',
  /** The id of that, a hash. */
  id: 'x-desk-id',
  /** When the session was used last, in milliseconds since 1970. */
  usedAt: 'x-desk-used-at',
  /** Of an answer: what ended and could not be written, an id or `all`. The server keeps to it. */
  unwrittenEnd: 'x-desk-unwritten-end',
} as const

/** A session, or what may become one: a link, or a device with a passkey. */
export type DeskVisitorKind = 'session' | 'link' | 'device'
