import { counted } from '../shared/counted.ts'
import { say } from '../shared/say.ts'
import type { Backups, Collecting } from '../store/store.ts'

const WEEK_MS = 7 * 86_400_000

/** How taking in from Firestore stands, as this machine knows it: nothing is asked there. */
export interface InboxFigures {
  /** How many documents were taken in, odd ones included. */
  readonly documents: number
  readonly lastAt: Date | null
  /** At the last count: how many documents there are missing here; below 0, are gone there. */
  readonly missing: number
  /** How many addresses are erased here, and not yet at Google. */
  readonly toErase: number
  /** Whether all that is known of people besides their sign-ups is on this machine alone. */
  readonly isAlone: boolean
}

/** @returns nothing for a list that takes nothing in. @throws StoreUnavailable */
export async function inboxFigures(
  collecting: Collecting | undefined,
  backups: Pick<Backups, 'record'> | undefined,
  now: Date,
): Promise<InboxFigures | undefined> {
  const state = await collecting?.state()
  if (!collecting || !state) return undefined
  const last = (await backups?.record())?.kept.at(-1)?.at
  return {
    documents: await collecting.counted(),
    lastAt: state.at ? new Date(state.at) : null,
    missing: state.missing ?? 0,
    toErase: await collecting.countErasures(),
    isAlone: !last || now.getTime() - last.getTime() > WEEK_MS,
  }
}

export const ALONE =
  'No copy was made in the last week: who left, and all else that is known of people besides their sign-ups, is on this machine alone.'

/** What the operator has to look at, in sentences. */
export function inboxAlarms({ missing, toErase, isAlone }: InboxFigures): string[] {
  return [
    isAlone && say(ALONE),
    missing > 0 &&
      say('Not taken in from Firestore: {documents}.', { documents: counted(missing, 'document') }),
    missing < 0 &&
      say('Taken in, and gone from Firestore: {documents}.', {
        documents: counted(-missing, 'document'),
      }),
    toErase > 0 &&
      say('Erased here, not yet at Google: {toErase}.', {
        toErase: counted(toErase, 'address', 'addresses'),
      }),
  ].filter((alarm) => alarm !== false)
}
