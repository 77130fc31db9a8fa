/** Where a command speaks. Results and remarks go different ways, so that results can be piped. */
export interface Out {
  /** Part of the result. Resolves when more can be taken. */
  write(text: string): Promise<void>
  /** A remark for the person who waits; no part of the result. */
  say(text: string): void
  /** The state of long work: one line that changes on a terminal, a line now and then elsewhere. */
  progress(text: string): void
  readonly style: Style
  /** Columns of the terminal. */
  readonly width: number
}

/** Marks words up on a terminal that wants it, and leaves them as they are elsewhere. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly green: (text: string) => string
  readonly red: (text: string) => string
  readonly yellow: (text: string) => string
}

/**
 * How a command ended, for scripts: 0 it did what was asked; 1 it could not; 2 it was called wrongly;
 * 3 it did, but not for everybody or everything; 130 it was stopped with Ctrl-C. To a mail server that
 * hands over a message: 75, it is to be tried again (`EX_TEMPFAIL` of sysexits.h).
 */
export const exitCodes = {
  ...{ done: 0, failed: 1, misused: 2, partly: 3 },
  ...{ tryAgain: 75, stopped: 130 },
} as const

/** What an operator can put right; the message is all there is to say. */
export class Trouble extends Error {
  override readonly name = 'Trouble'
}
