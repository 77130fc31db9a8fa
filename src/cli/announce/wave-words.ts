import type { Breach, WaveFigures } from '../../announcement/waves/breach.ts'
import type { PlannedWave } from '../../announcement/waves/plan-ahead.ts'
import type { WavePlan } from '../../announcement/waves/wave-plan.ts'
import { commandLine } from '../../product/command-line.ts'
import { duration } from '../../shared/duration.ts'
import { ownZone } from '../../shared/time-zone.ts'
import type { KeptWaves } from '../../store/waves.ts'
import type { Style } from '../../terminal/style.ts'
import { columns, counted, grouped, localTime } from '../../terminal/words.ts'

/** Number of waves that are shown of a long plan. */
const SHOWN = 12

/** `wave 2 of 4`, `wave 17` */
export function waveName(number: number, plan: WavePlan): string {
  return 'shares' in plan ? `wave ${number} of ${plan.shares.length}` : `wave ${number}`
}

/** `2.5 %` */
export function percent(part: number, whole: number): string {
  return `${Number(((part / Math.max(1, whole)) * 100).toFixed(2))} %`
}

/** The plan as a table, its times in the operator's own zone. */
export function planInWords(
  waves: readonly PlannedWave[],
  plan: WavePlan,
  now: Date,
  style: Style,
): string {
  const head = ['', `when (${ownZone()})`, 'to send', 'in all'].map(style.dim)
  const row = ({ number, at, size, inAll }: PlannedWave) => [
    waveName(number, plan),
    at <= now ? 'now' : localTime(at),
    grouped(size),
    grouped(inAll),
  ]
  const last = waves.at(-1)
  const isLong = waves.length > SHOWN + 1
  const shown = isLong ? waves.slice(0, SHOWN) : waves
  const rows = [head, ...shown.map(row)]
  if (isLong && last)
    rows.push([style.dim(`… ${waves.length - SHOWN - 1} more`), '', '', ''], row(last))
  return columns(rows, [2, 3])
}

/** The result of a wave. */
export function figuresInWords(
  { number }: KeptWaves,
  figures: WaveFigures,
  plan: WavePlan,
): string {
  const { told, failed, left, of } = figures
  const name = waveName(number, plan)
  return `${name[0]?.toUpperCase()}${name.slice(1)}: ${grouped(told)} told, ${grouped(failed)} failed (${percent(failed, of.failed)}), ${grouped(left)} unsubscribed or complained (${percent(left, of.left)}) so far.`
}

/** Why the waves stopped, and how they go on. */
export function breachInWords(
  { why, wave, people, erased, of, limit }: Breach,
  plan: WavePlan,
  id: string,
): string {
  const what =
    why === 'failing'
      ? `${grouped(people)} of ${counted(of, 'letter')} failed or bounced`
      : `${grouped(people)} of ${counted(of, 'person', 'people')} unsubscribed or complained`
  const unknown = erased > 0 ? ` ${grouped(erased)} of them were erased since.` : ''
  const [option, look] =
    why === 'failing'
      ? [
          '--stop-share',
          `To read why letters failed: ${commandLine(`deliveries ${id} --status failed`)}`,
        ]
      : ['--stop-leaving', 'Look at what the letter says, and to whom']
  return `Stopped at ${waveName(wave, plan)}: ${what}, ${percent(people, of)}. The limit is ${percent(limit, 1)}.${unknown} ${look}. To go on then, give the same command once with --go-on: what failed, and who left, until then no longer counts. ${option} raises the limit for all waves.`
}

/** `in 1 h 59 min` */
export const inTime = (ms: number) => `in ${duration(ms / 1000)}`
