/**
 * Why sending ended:
 * - `done`: everything that this run may send is sent.
 * - `interrupted`: the operator stopped it.
 * - `failing`: too large a share failed; `leaving`: too many unsubscribed or complained.
 * - `unready`: the pre-flight, which runs again each hour, found a problem.
 * - `unreachable`, `deferring`: the mail server failed so several times in a row, or puts the rest off
 *   for longer than this run waits.
 * - `unusable`: the mail server does not accept our credentials or our sender, or no more letters.
 */
export type EndCode =
  | 'done'
  | 'interrupted'
  | 'failing'
  | 'leaving'
  | 'unready'
  | 'unreachable'
  | 'deferring'
  | 'unusable'

export interface SendEnd {
  readonly why: EndCode
  /** The mail server's last answer, if it is the reason; else empty. */
  readonly answer: string
}
