import type { Style } from './style.ts'

/**
 * The output of a command. Results and remarks go to different streams, so that results can be
 * piped.
 */
export interface Out {
  /** Writes a part of the result; bytes as they are. Resolves when more can be written. */
  write(text: string | Uint8Array): Promise<void>
  /** Writes a value as a line of JSON, which is a part of the result. */
  json(value: unknown): Promise<void>
  /** Prints a remark that is not part of the result. */
  say(text: string): void
  /** Shows progress: one changing line on a terminal, a line every ten seconds elsewhere. */
  progress(text: string): void
  /** Whether progress is one changing line. */
  readonly isLive?: boolean
  readonly style: Style
  /** Width of the terminal in columns. */
  readonly width: number
}
