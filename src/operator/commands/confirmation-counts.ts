import { consentIn } from '../../store/pending.ts'
import { isWaitingWithSigns } from '../../store/quarantine.ts'
import type { Store } from '../../store/store.ts'
import { counted, grouped } from '../terminal/words.ts'

/** What came of asking whoever signed up to confirm it. */
export interface ConfirmationCounts {
  /** Sign-ups whose letter has yet to leave. */
  readonly waiting: number
  readonly asked: number
  /** Those who came with signs of a robot, and have yet to confirm. */
  readonly withSigns: number
  readonly confirmed: number
  readonly expired: number
  /** Half of those who confirmed took no longer, in seconds; `null` while nobody has. */
  readonly medianSeconds: number | null
  /** Letters that did not leave, by the mail server's words. */
  readonly failures: Readonly<Record<string, number>>
}

/** @returns `undefined` where nobody was ever asked. @throws StoreUnavailable */
export async function confirmationCounts(store: Store): Promise<ConfirmationCounts | undefined> {
  const { waiting, expired } = await store.outboxCounts()
  const failures: Record<string, number> = {}
  let open = 0
  let isAny = waiting + expired > 0
  let withSigns = 0
  for await (const pending of store.pending()) {
    const { confirmedAt, failure } = pending
    isAny = true
    if (isWaitingWithSigns(pending)) withSigns += 1
    if (confirmedAt) continue
    open += 1
    if (failure) failures[failure] = (failures[failure] ?? 0) + 1
  }
  if (!isAny) return undefined
  const seconds: number[] = []
  for await (const { extra } of store.stream({ standing: 'all' })) {
    const consent = consentIn(extra)
    if (!consent) continue
    seconds.push((Date.parse(consent.confirmedAt) - Date.parse(consent.askedAt)) / 1000)
  }
  const confirmed = seconds.length
  const median = seconds.sort((a, b) => a - b)[Math.floor((confirmed - 1) / 2)]
  const asked = confirmed + open + expired
  return { waiting, asked, withSigns, confirmed, expired, medianSeconds: median ?? null, failures }
}

/** Rows for the terminal. */
export function confirmationsInWords(found: ConfirmationCounts): string[][] {
  const { waiting, asked, confirmed, expired, medianSeconds, failures } = found
  const share = asked > 0 ? `, ${Math.round((100 * confirmed) / asked)} %` : ''
  const median = medianSeconds === null ? '' : `, half of them within ${duration(medianSeconds)}`
  return [
    ['Asked', `${grouped(asked)}, ${grouped(expired)} of whom never answered in time`],
    ['Confirmed', `${grouped(confirmed)}${share}${median}`],
    ...(waiting > 0 ? [['Outbox', `${counted(waiting, 'letter')} to be sent`]] : []),
    ...Object.entries(failures).map(([why, count]) => ['Failed', `${grouped(count)}: "${why}"`]),
  ]
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  const minutes = seconds / 60
  if (minutes < 90) return `${Math.round(minutes)} min`
  const hours = minutes / 60
  return hours < 36 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`
}
