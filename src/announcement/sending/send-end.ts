/**
 * Why sending ended:
 * - `done`: nothing is left that it was to send.
 * - `interrupted`: it was asked to stop.
 * - `failing`: too large a share failed.
 * - `unreachable`, `deferring`, `unusable`: what the mail server did again and again.
 */
export interface SendEnd {
  readonly why: 'done' | 'interrupted' | 'failing' | 'unreachable' | 'deferring' | 'unusable'
  /** What the mail server last said, where that is the reason. */
  readonly answer: string
}
