import type { Style } from './style.ts'

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
