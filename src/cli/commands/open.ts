import {
  openingAsJson,
  openingInWords,
  openingSentences,
  type ReadOpening,
  readOpening,
  undoSentence,
} from '../../opening/read-opening.ts'
import { commandLine } from '../../product/command-line.ts'
import product from '../../product/product.ts'
import type { Product } from '../../shared/product.ts'
import { isOpen, type Opening } from '../../store/opening.ts'
import type { Openings } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse, OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { runWithStore, setting } from '../run.ts'

export interface OpenOptions {
  /** Where the button leads; without one, what is set is shown. */
  readonly url?: string | undefined
  /** The local time of the opening; now, if not given. */
  readonly at?: string
  /** The time zone of `at`; the product's, if not given. */
  readonly zone?: string
  readonly undo?: boolean
  readonly json?: boolean
  /** Where visitors find the page, if that is known. */
  readonly publicUrl?: string | undefined
  readonly product: Pick<Product, 'opensAt' | 'zone'>
}

/** `open`: turns the page, now or at a time; or shows what is set. */
export async function open(store: Openings, options: OpenOptions, out: Out): Promise<number> {
  const { url, undo, json } = options
  const now = new Date()
  if (undo) {
    const before = await store.undo()
    out.say(before ? undoSentence(before, now) : 'Nothing was set: the page says Coming Soon.')
  } else if (url !== undefined) {
    if (options.at === undefined && options.zone !== undefined)
      throw new Misuse('--zone: means nothing without --at.')
    // A time that ends in Z has its zone.
    const zone = options.zone ?? (options.at?.endsWith('Z') ? undefined : options.product.zone)
    const opening = orMistake(readOpening(await store.get(), { ...options, url, zone }, now))
    const before = await store.set(opening)
    if (before && before.url !== opening.url) out.say(`Until now it led to ${before.url}`)
    if (!json) for (const line of wordsOf(opening, now, options)) out.say(line)
  }
  const opening = await store.get()
  if (json) await out.json(openingAsJson(opening, now))
  else if (!undo && url === undefined)
    await out.write(`${openingInWords(opening, now, options.product)}\n`)
  return exitCodes.done
}

/** @throws OperatorError with the mistake. */
function orMistake(read: ReadOpening): Opening {
  if ('opening' in read) return read.opening
  const { wrong, mistake } = read
  if (wrong === 'url') throw new Misuse(mistake)
  if (wrong === 'over') throw new Misuse(`--at: ${mistake} To open now, leave --at out.`)
  if (wrong === 'open')
    throw new OperatorError(
      `${mistake} To close it until then, first run: ${commandLine('open --undo')}`,
    )
  throw new Misuse(`--${wrong}: ${mistake}`)
}

function wordsOf(opening: Opening, now: Date, { product }: OpenOptions): string[] {
  const said = openingSentences(opening, now, product)
  return isOpen(opening, now) ? said : [...said, `To take that back: ${commandLine('open --undo')}`]
}

export async function fromCommandLine(
  options: Omit<OpenOptions, 'url' | 'publicUrl' | 'product'>,
  url: string | undefined,
): Promise<void> {
  if (url !== undefined && options.undo) throw new Misuse('Name an address or --undo, not both.')
  if (url === undefined && (options.at ?? options.zone) !== undefined)
    throw new Misuse('Also name the address that the button leads to.')
  const publicUrl = setting('PUBLIC_URL') ?? undefined
  await runWithStore({ looks: url === undefined && !options.undo }, (store, out) =>
    open(store.opening, { ...options, url, publicUrl, product }, out),
  )
}
