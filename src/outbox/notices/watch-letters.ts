import { brakes } from '../../shared/held-letters.ts'
import { alarmRule } from '../../store/alarm.ts'
import type { Notices } from '../../store/notices.ts'
import type { Outbox } from '../../store/outbox.ts'

/** So many that wait an hour at most are a flood; a few are a fair or an office. */
const MANY_HELD = 10

/**
 * Looks whether letters wait: those of a filled hidden field need somebody to release them, and of
 * the others many are a flood. @throws StoreUnavailable
 */
export async function watchLetters(
  store: Pick<Notices, 'changeAlarm'> & Pick<Outbox, 'heldLetters'>,
  now: Date,
): Promise<void> {
  const held = await store.heldLetters()
  const all = brakes.reduce((sum, brake) => sum + held[brake], 0)
  const isWrong = held['hidden-field'] > 0 || all >= MANY_HELD || (all === 0 ? false : undefined)
  await store.changeAlarm('letters', alarmRule({ kind: 'letters', isWrong, data: { held }, now }))
}
