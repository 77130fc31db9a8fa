import { letFriends } from '../../audience/let-friends.ts'
import { readReferrals } from '../../audience/read-referrals.ts'
import { addressIds } from '../../keys/address-id.ts'
import { commandLine } from '../../product/command-line.ts'
import {
  type HeldDay,
  type HeldReason,
  heldReasons,
  type ReferralCounts,
  refusalReasons,
  refusals,
} from '../../shared/referral-counts.ts'
import type { Store } from '../../store/store.ts'
import type { ListedSubscriber } from '../../store/subscriber-list.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse, OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { columns, counted, grouped } from '../../terminal/words.ts'
import { runWithStore, setting } from '../run.ts'

export interface ReferralsOptions {
  /** Whose held friends count from now on. */
  readonly let?: string
  /** Only those of this day. */
  readonly day?: string
  readonly json?: boolean
  readonly linkKey: Buffer
  /** Whether the page shows personal links now. */
  readonly isOn?: boolean
}

/** How many rows of a table are shown. */
const SHOWN = 12

/** `referrals`: who brought friends, what of that counts, and what is held and why. */
export async function referrals(
  store: Pick<Store, 'list' | 'requests'>,
  options: ReferralsOptions,
  out: Out,
): Promise<number> {
  if (options.day !== undefined && options.let === undefined) throw new Misuse('--day needs --let.')
  if (options.let !== undefined) return letThrough(store, options, options.let, out)
  const counts = await referralCounts(store, options.linkKey)
  if (options.json) await out.json(counts)
  else await out.write(inWords(counts, out))
  if (!options.isOn) out.say('REFERRALS is not on, so the page shows nobody a personal link.')
  return exitCodes.done
}

/** The counts alone. @param see as `readReferrals` has it. @throws StoreUnavailable */
export async function referralCounts(
  store: Pick<Store, 'list' | 'requests'>,
  linkKey: Buffer,
  see?: (one: ListedSubscriber) => void,
) {
  return (await readReferrals(store, addressIds(linkKey).of, see)).counts
}

async function letThrough(
  store: Pick<Store, 'list' | 'requests'>,
  { day, json, linkKey }: ReferralsOptions,
  argument: string,
  out: Out,
): Promise<number> {
  const email = readEmail(argument)
  const { days, friends, isTodayHeld } = await letFriends(store, addressIds(linkKey).of, email, day)
  if (days.length === 0 && isTodayHeld)
    throw new OperatorError(
      'Today (in UTC) is not over, and more friends may come. Let them count tomorrow.',
    )
  if (days.length === 0)
    throw new OperatorError(
      `Nothing${day === undefined ? '' : ` of ${day}`} is held for ${email}. To see what is: ${commandLine('referrals')}`,
    )
  if (json) await out.json({ days, friends })
  else
    out.say(
      `${counted(friends, 'friend')} of ${email} ${friends === 1 ? 'counts' : 'count'} now, of ${days.join(', ')}.`,
    )
  return exitCodes.done
}

function inWords(counts: ReferralCounts, { style }: Out): string {
  const { heldDays, bringers } = counts
  const isHeld = heldDays.length > 0
  return `${[
    columns(referralsInWords(counts), [1]),
    ...(bringers.length > 0
      ? [
          columns(
            [
              [style.bold('Who brought the most'), ''],
              ...bringers.slice(0, SHOWN).map(({ email, credited }) => [email, grouped(credited)]),
            ],
            [1],
          ),
        ]
      : []),
    ...(isHeld
      ? [
          columns(
            [
              [style.bold('Held'), '', ''],
              ...heldDays.slice(0, SHOWN).map(heldRow),
              ...more(heldDays),
            ],
            [2],
          ),
          `To let them count: ${commandLine('referrals --let <email> --day <date>')}`,
        ]
      : []),
  ].join('\n\n')}\n`
}

const heldRow = ({ email, day, number, why }: HeldDay) => [
  email,
  day,
  grouped(number),
  heldReasons[why],
]

function more({ length }: readonly HeldDay[]): string[][] {
  return length > SHOWN ? [[`${grouped(length - SHOWN)} more: --json shows them`]] : []
}

function heldInWords({ heldDays }: ReferralCounts): string {
  return (Object.keys(heldReasons) as HeldReason[])
    .map((why) => {
      const days = heldDays.filter((one) => one.why === why)
      return { why, number: days.reduce((sum, { number }) => sum + number, 0) }
    })
    .filter(({ number }) => number > 0)
    .map(({ why, number }) => `${grouped(number)} (${heldReasons[why]})`)
    .join(', ')
}

/** Rows for the terminal, here and in `status`. */
export function referralsInWords(counts: ReferralCounts): string[][] {
  const { links, used, asked, confirmed, credited, held, refused } = counts
  const none = refusals.filter((why) => refused[why] > 0)
  return [
    ['Personal links', grouped(links), `${grouped(used)} of them brought somebody`],
    ['Friends', grouped(asked + confirmed), `${grouped(confirmed)} confirmed`],
    ['Friends who count', grouped(credited)],
    ...(held > 0
      ? [['Held', grouped(held), `${heldInWords(counts)}: ${commandLine('referrals')}`]]
      : []),
    ...(none.length > 0
      ? [
          [
            'Do not count',
            grouped(none.reduce((sum, why) => sum + refused[why], 0)),
            none.map((why) => `${grouped(refused[why])} ${refusalReasons[why]}`).join(', '),
          ],
        ]
      : []),
  ]
}

export const fromCommandLine = (options: Pick<ReferralsOptions, 'let' | 'day' | 'json'>) =>
  runWithStore({ looks: options.let === undefined }, (store, out, { linkKey }) =>
    referrals(store, { ...options, linkKey, isOn: setting('REFERRALS') }, out),
  )
