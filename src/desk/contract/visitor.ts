/**
 * The headers by which the server tells the desk's process who asks. No client can send them: the
 * server removes theirs, and only the server reaches that process.
 */
export const deskHeaders = {
  prefix: 'x-desk-',
  /** What lets them in. */
  by: 'x-desk-by',
  /** The id of that, a hash. */
  id: 'x-desk-id',
  /** When the session was used last, in milliseconds since 1970. */
  usedAt: 'x-desk-used-at',
  /**
   * In an answer: a session, by its id, or `all`, that ended and could not be written. The server
   * enforces it.
   */
  unwrittenEnd: 'x-desk-unwritten-end',
} as const

/** A session, or the link that may become one. */
export type DeskVisitorKind = 'session' | 'link'
