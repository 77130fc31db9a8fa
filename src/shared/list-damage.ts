import { counted, grouped } from './counted.ts'
import { say } from './say.ts'

/** What a count of everybody found that should not be. */
export interface Damage {
  /** People whose data cannot be read. */
  readonly unreadable: number
  readonly wrong: readonly WrongCount[]
}

/** What was kept of a count, and what it is. */
export interface WrongCount {
  /** Such as `is:subscribed`. */
  readonly name: string
  readonly kept: number
  readonly counted: number
}

/** Whether a count found anything. */
export const isDamage = ({ unreadable, wrong }: Damage) => unreadable > 0 || wrong.length > 0

export function damageInWords({ unreadable, wrong }: Damage): string[] {
  const counts = wrong.map((one) =>
    say('{name} {kept}, not {is}', {
      name: one.name,
      kept: grouped(one.kept),
      is: grouped(one.counted),
    }),
  )
  return [
    ...(unreadable > 0
      ? [
          say(
            'The data of {unreadable} cannot be read. They are held and get no letters: list --standing quarantined shows them as "cannot be read".',
            { unreadable: counted(unreadable, 'person', 'people') },
          ),
        ]
      : []),
    ...(counts.length > 0
      ? [
          say('Counts of the list were wrong, and were put right: {counts}.', {
            counts: counts.join('; '),
          }),
        ]
      : []),
  ]
}
