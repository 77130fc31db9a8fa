import type { TestContext } from 'vitest'

/** `npm run torture` runs the long form of what is here; `npm test` runs the short one. */
export const isLong = process.env.TORTURE === 'long'

/** How many kills, cases or connections, in the short form and in the long one. */
export const amount = (short: number, long: number) => (isLong ? long : short)

/** Where chance begins; `TORTURE_SEED` repeats a run. */
export const seed = Number(process.env.TORTURE_SEED || Math.floor(Math.random() * 2 ** 31))

/** A line of the table that `npm run torture` prints. */
export interface Survived {
  /** What was done, in words. */
  readonly done: string
  /** How many times. */
  readonly times: number
  /** What came of it, with figures. */
  readonly result: string
}

declare module 'vitest' {
  interface TaskMeta {
    survived?: Survived[]
  }
}

/** Hands a line to `npm run torture`; elsewhere nobody reads it. */
export function report({ task }: Pick<TestContext, 'task'>, line: Survived): void {
  task.meta.survived ??= []
  task.meta.survived.push(line)
}

/** Chance that can be repeated: numbers from 0 up to 1, the same ones for a seed (mulberry32). */
export function chance(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
