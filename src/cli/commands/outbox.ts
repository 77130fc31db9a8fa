import { commandLine } from '../../product/command-line.ts'
import { type Brake, type HeldLetters, heldInWords } from '../../shared/held-letters.ts'
import type { Requests } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { counted } from '../../terminal/words.ts'
import { runWithStore } from '../run.ts'

export interface OutboxOptions {
  readonly json?: boolean
  /** Releases the letters that wait for this reason. */
  readonly release?: Brake
}

type OutboxStore = Pick<Requests, 'heldLetters' | 'releaseLetters' | 'counts'>

/**
 * `outbox`: counts the letters that have yet to leave, and shows or releases those that are held.
 */
export async function outbox(
  store: OutboxStore,
  { json, release }: OutboxOptions,
  out: Out,
): Promise<number> {
  const released = release && (await store.releaseLetters(release))
  const held = await store.heldLetters()
  const { waiting } = await store.counts()
  if (json) {
    const found = { waiting, held, ...(released !== undefined && { released }) }
    await out.json(found)
    return exitCodes.done
  }
  const said =
    released === undefined
      ? `${counted(waiting, 'confirmation letter')} to be sent.`
      : `${counted(released, 'letter')} released: they leave within minutes.`
  const lines = [said, ...heldLines(held, out)]
  await out.write(`${lines.join('\n')}\n`)
  return exitCodes.done
}

/** A line for each reason, with the command that releases them. */
export function heldLines(held: HeldLetters, { style }: Pick<Out, 'style'>): string[] {
  return heldInWords(held).map(
    ({ brake, text }) =>
      `${style.yellow(text)} To send them now: ${commandLine(`outbox --release ${brake}`)}`,
  )
}

export const fromCommandLine = (options: OutboxOptions) =>
  runWithStore({ looks: true }, (store, out) => outbox(store.requests, options, out))
