import type { StoreSettings } from '../config/programs.ts'
import type { CollectOptions } from '../from-firestore/collect-options.ts'
import { ALONE, inboxFigures } from '../from-firestore/inbox-figures.ts'
import { type OpenedCollector, openCollector } from '../from-firestore/open-collector.ts'
import { commandLine } from '../product/command-line.ts'
import product from '../product/product.ts'
import { type Claim, InboxTaken } from '../store/inbox.ts'
import { firstCost } from '../store/inbox-rules.ts'
import type { OpenedStore } from '../store/open-store.ts'
import type { Collecting, Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Out } from '../terminal/out.ts'
import { counted, grouped } from '../terminal/words.ts'

/** Whether a command that needs the whole list is refused where visitors' sign-ups cannot be taken in. */
export type TakesIn = 'must' | 'may'

/**
 * Opens what takes in from Firestore, where a page on Firebase writes.
 *
 * @returns nothing where the settings name no project, and nothing was ever taken in.
 */
export async function collectorOf(
  { inbox, dataDir }: Pick<StoreSettings, 'inbox' | 'dataDir'>,
  collecting: Collecting | undefined,
): Promise<OpenedCollector | undefined> {
  if (!collecting) return undefined
  if (inbox) {
    const { projectId } = inbox
    return openCollector({ projectId, dataDir, collecting, appId: product.appId })
  }
  if (await collecting.state()) throw new StoreUnavailable(NOT_SET)
  return undefined
}

export const NOT_SET =
  'Sign-ups of the page on Firebase are not taken in: set GOOGLE_APPLICATION_CREDENTIALS, or GOOGLE_CLOUD_PROJECT.'

/**
 * Takes in all sign-ups, before a command works with the list. Before one that sends, it says whether
 * the list is on this machine alone.
 *
 * @throws OperatorError where it must.
 */
export async function collectFirst(
  settings: Pick<StoreSettings, 'inbox' | 'dataDir'>,
  { collecting, backups }: Pick<OpenedStore, 'collecting' | 'backups'>,
  takesIn: TakesIn,
  out: Out,
): Promise<OpenedCollector | undefined> {
  let opened: OpenedCollector | undefined
  try {
    opened = await collectorOf(settings, collecting)
    await opened?.inTurn(() => collectAll(opened as OpenedCollector, {}, out))
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause
    const why = whyNot(cause)
    if (takesIn === 'must') {
      await opened?.close()
      throw new OperatorError(`${why} Nothing was sent.`)
    }
    out.say(out.style.red(`${why} This is the list without later sign-ups.`))
  }
  const figures = await inboxFigures(collecting, backups, new Date())
  if (takesIn === 'must' && figures?.isAlone) out.say(out.style.red(ALONE))
  return opened
}

/**
 * Takes in what visitors left at our own page. Where that fails, it still waits, and is in a copy as it is.
 *
 * @throws OperatorError where it must.
 */
export async function takeInFirst(
  { inbox }: Pick<Store, 'inbox'>,
  takesIn: TakesIn | 'open',
  out: Out,
) {
  try {
    await inbox.takeInAll()
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause
    if (takesIn === 'must') throw new OperatorError(`${cause.message} Nothing was sent.`)
    out.say(out.style.red(`${cause.message} This is the list without later sign-ups.`))
  }
}

/** In a sentence or two; what to do, where another list takes in. */
export function whyNot(cause: StoreUnavailable): string {
  if (!(cause instanceof InboxTaken)) return cause.message
  return `${cause.message} Use that list. Where it is lost, restore its last copy here, and then give "${commandLine('collect')} --take-over".`
}

/** @throws OperatorError where another list took over. Where Google is away, nothing says so. */
export async function stillTakesIn({ collect }: OpenedCollector): Promise<void> {
  try {
    await collect.check()
  } catch (cause) {
    if (cause instanceof InboxTaken) throw new OperatorError(whyNot(cause))
    if (!(cause instanceof StoreUnavailable)) throw cause
  }
}

/** Takes in to the end, and says how far it is. */
export async function collectAll({ collect }: OpenedCollector, options: CollectOptions, out: Out) {
  return collect.toTheEnd({
    ...options,
    first(documents) {
      const cost = firstCost(documents)
      if (cost) out.say(`${grouped(documents)} documents are read from Firestore: ${cost}.`)
    },
    progress(found, takenIn) {
      if (takenIn > 0) out.progress(`${counted(takenIn, 'document')} taken in`)
      else out.progress(`${counted(found, 'document')} found`)
    },
    takesOver: (before, noes) => out.say(out.style.red(takingOver(before, noes))),
  })
}

function takingOver({ machine, at, noes }: Claim, known: number): string {
  const last = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return `Taking over from the list on ${machine}, which took in last at ${last} and knew of ${grouped(noes)} who said no; this list told Firestore of ${grouped(known)}. They stay away. All else that only that list knew is missing here, such as consents, first names and what was sent: if there is a copy of it, stop, restore it first, and give this command again.`
}

/**
 * Keeps noes at Google at once, since this machine may be lost, and erases there what was forgotten.
 *
 * @param code of the command so far. @returns another one where something is yet to be erased.
 */
export async function tellThere(
  code: number,
  settings: Pick<StoreSettings, 'inbox' | 'dataDir'>,
  collecting: Collecting,
  out: Out,
): Promise<number> {
  const isTold = async () => (await collecting.untoldNoes(1)).length === 0
  if ((await isTold()) && (await collecting.countErasures()) === 0) return code
  let opened: OpenedCollector | undefined
  try {
    opened = await collectorOf(settings, collecting)
    await opened?.inTurn(opened.collect.tell)
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause
    const alone = (await isTold()) ? '' : ' Who said no since is known to this machine alone.'
    out.say(out.style.red(`${whyNot(cause)}${alone}`))
  } finally {
    await opened?.close()
  }
  const left = await collecting.countErasures()
  if (left === 0) return code
  out.say(
    out.style.red(
      `${counted(left, 'address', 'addresses')} erased here, not yet at Google. "${commandLine('collect')}" tries again.`,
    ),
  )
  return code === exitCodes.done ? exitCodes.partly : code
}
