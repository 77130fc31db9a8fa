import { OPEN_URL_RULE, parseOpenUrl } from '../../shared/open-url.ts'
import type { Product } from '../../shared/product.ts'
import { isTimeZone } from '../../shared/time-zone.ts'
import { readMoment, spokenInBoth } from '../../shared/zoned-time.ts'
import { isOpen, type Opening, type Openings } from '../../store/opening.ts'
import { commandLine } from '../terminal/command-line.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { openingInWords } from '../terminal/opening-words.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Out } from '../terminal/out.ts'

export interface OpenOptions {
  /** Where the button leads; without one, what is set is shown. */
  readonly url?: string | undefined
  /** When, as a clock on the wall shows it; now, if not given. */
  readonly at?: string
  /** The time zone of that. */
  readonly zone?: string
  readonly undo?: boolean
  readonly json?: boolean
  /** Where visitors find the page, if that is known. */
  readonly publicUrl?: string | undefined
  readonly product: Pick<Product, 'opensAt'>
}

/** `open`: turns the page, now or at a time; or shows what is set. */
export async function open(store: Openings, options: OpenOptions, out: Out): Promise<number> {
  const { url, undo, json } = options
  const now = new Date()
  if (undo) {
    const before = await store.undoOpening()
    out.say(before ? wordsOfUndo(before, now) : 'Nothing was set: the page says Coming Soon.')
  } else if (url !== undefined) {
    const opening = await readOpening(store, url, options, now)
    const before = await store.setOpening(opening)
    if (before && before.url !== opening.url) out.say(`Until now it led to ${before.url}`)
    if (!json) for (const line of wordsOf(opening, now, options)) out.say(line)
  }
  const opening = await store.opening()
  if (json) await out.write(`${JSON.stringify(openingAsJson(opening, now))}\n`)
  else if (!undo && url === undefined) await out.write(`${openingInWords(opening, now)}\n`)
  return exitCodes.done
}

/** @throws OperatorError for what cannot be meant. */
async function readOpening(
  store: Openings,
  given: string,
  { at, zone, publicUrl }: OpenOptions,
  now: Date,
): Promise<Opening> {
  const url = parseOpenUrl(given)
  if (!url) throw new OperatorError(`The button must lead to ${OPEN_URL_RULE}`)
  if (publicUrl && url === `${publicUrl}/`)
    throw new OperatorError(`${url} is this page itself: name where the product is.`)
  const before = await store.opening()
  if (at === undefined) {
    if (zone !== undefined) throw new OperatorError('--zone: means nothing without --at.')
    const isItOpen = before && isOpen(before, now)
    const since = (isItOpen && before.openedAt) || now
    return { url, at: since, zone: isItOpen ? before.zone : ownZone(), openedAt: since }
  }
  const read = readMoment(at, zone)
  if ('mistake' in read) throw new OperatorError(`--${read.wrong}: ${read.mistake}`)
  if (read.at <= now)
    throw new OperatorError(
      `--at: ${spokenInBoth(read.at, read.zone)}, is over. To open now, leave --at out.`,
    )
  if (before && isOpen(before, now))
    throw new OperatorError(
      `The page is open. To close it until then, first run: ${commandLine('open --undo')}`,
    )
  return { url, ...read, openedAt: undefined }
}

function wordsOf(opening: Opening, now: Date, { product }: OpenOptions): string[] {
  const { url, at, zone } = opening
  if (isOpen(opening, now))
    return [
      `The page is open, and its button leads to ${url}`,
      'Every running server shows that within a second; pages that stand open turn within ten.',
    ]
  const { opensAt } = product
  const promised = opensAt && readMoment(opensAt.at, opensAt.zone)
  const isAsPromised = !promised || 'mistake' in promised || Number(promised.at) === Number(at)
  return [
    `The page opens ${spokenInBoth(at, zone)}; its button will lead to ${url}`,
    ...(isAsPromised
      ? []
      : [
          `The countdown on it says ${spokenInBoth(promised.at, promised.zone)}: that is opensAt in product.config.ts.`,
        ]),
    `To take that back: ${commandLine('open --undo')}`,
  ]
}

function wordsOfUndo(before: Opening, now: Date): string {
  return isOpen(before, now)
    ? 'The page says Coming Soon again. Pages that are open in a browser stay as they are until they are loaded again.'
    : 'The page will not open by itself any more.'
}

/** What is set, for programs. */
export function openingAsJson(opening: Opening | undefined, now: Date) {
  if (!opening) return { page: 'coming-soon' }
  const { url, at, zone, openedAt } = opening
  return { page: isOpen(opening, now) ? 'open' : 'coming-soon', url, at, zone, openedAt }
}

/** Of the machine; one without a name is at UTC. */
function ownZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return isTimeZone(timeZone) ? timeZone : 'UTC'
}
