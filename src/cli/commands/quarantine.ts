import { reportOfQuarantine } from '../../report/makers/quarantine.ts'
import { type Telling, tell } from '../../report/tell.ts'
import { domainOf } from '../../shared/address-folding.ts'
import { commonest } from '../../shared/commonest.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { stopSignal } from '../../terminal/stop-signal.ts'
import { counted, grouped, localTime } from '../../terminal/words.ts'
import { runWithStore } from '../run.ts'
import type { QuarantineEnd } from './end-quarantine.ts'
import {
  allQuarantined,
  moreInWords,
  type Quarantined,
  type QuarantineReader,
  type QuarantineSelection,
  rangeOf,
  selects,
} from './quarantined.ts'

export interface QuarantineOptions extends QuarantineSelection, Telling {
  /** Lists them instead of counting. */
  readonly list?: boolean
}

const NO_SIGN = '(not known)'
/** Names, in bounded memory. */
const COUNTED = 2000

/** `quarantine`: the sign-ups that are held for signs of a robot, with the signs. */
export async function quarantine(store: QuarantineReader, options: QuarantineOptions, out: Out) {
  return options.list ? list(store, options, out) : look(store, options, out)
}

async function* selected(store: QuarantineReader, options: QuarantineOptions) {
  const isMeant = await selects(options)
  for await (const one of allQuarantined(store, rangeOf(options))) if (isMeant(one)) yield one
}

async function list(store: QuarantineReader, options: QuarantineOptions, out: Out) {
  const { dim, yellow } = out.style
  const counts = { listed: 0, toConfirm: 0 }
  for await (const one of selected(store, options)) {
    counts[one.isToConfirm ? 'toConfirm' : 'listed'] += 1
    const line = `${dim(localTime(one.at))}  ${one.email}  ${yellow(signsOf(one).join(', '))}`
    const toConfirm = one.isToConfirm ? dim('  to confirm') : ''
    if (options.json) await out.json(one)
    else await out.write(`${line}${toConfirm}\n`)
  }
  const { listed, toConfirm } = counts
  if (!options.json) out.say(`${grouped(listed)} quarantined${moreInWords(toConfirm, '.')}.`)
  return exitCodes.done
}

async function look(store: QuarantineReader, options: QuarantineOptions, out: Out) {
  const counts = { listed: 0, toConfirm: 0 }
  const [signs, domains] = [commonest(COUNTED), commonest(COUNTED)]
  const days = new Map<string, number>()
  for await (const one of selected(store, options)) {
    counts[one.isToConfirm ? 'toConfirm' : 'listed'] += 1
    for (const sign of signsOf(one)) signs.add(sign)
    domains.add(domainOf(one.email))
    const day = localTime(one.at).slice(0, 10)
    days.set(day, (days.get(day) ?? 0) + 1)
    out.progress(`${counted(counts.listed + counts.toConfirm, 'sign-up')} seen`)
  }
  const newest = [...days].toSorted(([a], [b]) => b.localeCompare(a))
  const found = { ...counts, signs: signs.names(), domains: domains.names(), days: newest }
  const { sign, domain, since, until } = options
  const isNarrowed = [sign, domain, since, until].some((option) => option !== undefined)
  return tell(reportOfQuarantine(found, isNarrowed), options, out)
}

function signsOf({ signs }: Quarantined): readonly string[] {
  return signs.length > 0 ? signs : [NO_SIGN]
}

export interface QuarantineArguments extends Telling {
  readonly list?: boolean
  readonly release?: boolean
  readonly erase?: boolean
  readonly sign?: readonly string[]
  readonly domain?: readonly string[]
  readonly since?: string
  readonly until?: string
  readonly yesCount?: number
  readonly output?: string
}

/** What is to be done, and to whom. @throws OperatorError for options that contradict each other. */
export function readQuarantine(emails: readonly string[], options: QuarantineArguments) {
  const { list, release, erase, yesCount, output, sign, domain, since, until } = options
  const end: QuarantineEnd | undefined = release ? 'release' : erase ? 'erase' : undefined
  if ([list, release, erase].filter(Boolean).length > 1)
    throw new Misuse('--list, --release and --erase: name one of them.')
  if (!end && yesCount !== undefined) throw new Misuse('--yes-count: needs --release or --erase.')
  if (end && output !== undefined) throw new Misuse('--output: is not for --release or --erase.')
  if (emails.length === 0) return { end, emails: undefined }
  if (!end) throw new Misuse('Say what to do with these addresses: --release or --erase.')
  if ([sign, domain, since, until, yesCount].some((option) => option !== undefined))
    throw new Misuse('Name addresses, or describe many, but not both.')
  return { end, emails }
}

export async function fromCommandLine(
  options: QuarantineArguments,
  named: readonly string[],
): Promise<void> {
  const { end, emails } = readQuarantine(named, options)
  const signal = stopSignal(process, console.error)
  await runWithStore({ ...options, looks: true }, async (store, out) => {
    if (!end) return quarantine(store, options, out)
    const { endQuarantine, endQuarantineOfMany } = await import('./end-quarantine.ts')
    if (emails) return endQuarantine(store, end, { ...options, emails }, out)
    return endQuarantineOfMany(store, end, { ...options, signal }, out)
  })
}
