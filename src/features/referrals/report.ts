import { grouped } from '../../shared/counted.ts'
import type { Figures, Notes, Report } from '../../shared/report.ts'
import { type Sentence, say } from '../../shared/say.ts'
import {
  type HeldDay,
  type HeldReason,
  MOST_A_DAY,
  type ReferralCounts,
  type Refusal,
} from './count-friends.ts'

/** How many rows of a table are shown at first. */
const SHOWN = 12

const heldReasons = (): Readonly<Record<HeldReason, string>> => ({
  many: say('more than {most} in a day', { most: MOST_A_DAY }),
  signs: say('signs of a robot'),
  contested: say('by the links of several'),
})

const refusalReasons: Readonly<Record<Refusal, Sentence>> = {
  mailbox: 'whose mailbox was on the list already',
  ring: 'who referred each other',
  nobody: 'whose link belongs to nobody on the list',
}

/**
 * Who referred friends, what of that counts, and what is held and why.
 *
 * @param isOn whether the page shows personal links. @param now on a day that is not over, more may come.
 */
export function reportOfReferrals(counts: ReferralCounts, isOn: boolean, now: Date): Report {
  const today = now.toISOString().slice(0, 10)
  return {
    title: say('Friends'),
    parts: [
      referralFigures(counts),
      notesOf(counts, isOn),
      {
        part: 'table',
        name: 'bringers',
        title: say('Who referred the most'),
        columns: [
          { name: 'email', kind: 'email' },
          { name: 'credited', head: say('Friends') },
        ],
        rows: counts.bringers.map((one) => ({ ...one })),
        most: SHOWN,
      },
      {
        part: 'table',
        name: 'heldDays',
        title: say('Held'),
        columns: [
          { name: 'email', kind: 'email' },
          { name: 'day', head: say('Day (UTC)'), kind: 'text' },
          { name: 'number', head: say('Friends') },
          { name: 'why', head: say('Why'), kind: 'text', words: heldReasons(), isDetail: true },
        ],
        rows: counts.heldDays.map((one) => ({ ...one, isOpen: one.day >= today })),
        most: SHOWN,
        act: {
          ...{ code: 'let-friends', isHere: true },
          words: say('Count them'),
          command: 'referrals --let <email> --day <day>',
          unless: ['isOpen', say('once the day is over')],
        },
      },
    ],
  }
}

/** The figures alone, here and in `status`. */
export function referralFigures(counts: ReferralCounts): Figures {
  const { links, used, asked, confirmed, credited, held, heldDays, refused } = counts
  const refusals = Object.entries(refused) as [Refusal, number][]
  return {
    part: 'figures',
    figures: [
      { name: 'credited', label: say('Friends who count'), value: credited, isLead: true },
      {
        name: 'links',
        label: say('Personal links'),
        value: links,
        remark: say('{used} of them referred somebody', { used: grouped(used) }),
        data: { used },
      },
      { name: 'confirmed', label: say('Friends who confirmed'), value: confirmed },
      { name: 'asked', label: say('Friends yet to confirm'), value: asked },
      { name: 'held', label: say('Held'), value: held, remark: heldInWords(heldDays) },
      {
        name: 'refused',
        label: say('Do not count'),
        value: refusals.reduce((sum, [, number]) => sum + number, 0),
        remark: inWords(refusals.map(([why, number]) => [number, say(refusalReasons[why])])),
        data: { refusals: refused },
      },
    ],
  }
}

const heldInWords = (days: readonly HeldDay[]) =>
  inWords(
    Object.entries(heldReasons()).map(([code, words]) => {
      const some = days.filter(({ why }) => why === code)
      return [some.reduce((sum, { number }) => sum + number, 0), `(${words})`]
    }),
  )

/** `23 (more than 10 in a day), 1 (signs of a robot)` */
const inWords = (numbers: readonly (readonly [number: number, words: string])[]) =>
  numbers
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${grouped(number)} ${words}`)
    .join(', ')

function notesOf({ held }: ReferralCounts, isOn: boolean): Notes {
  const off = {
    code: 'off',
    text: say('REFERRALS is not on, so the page shows nobody a personal link.'),
  }
  const waits = {
    code: 'held',
    text: say('Held friends are on the list like everybody else, and count once you let them.'),
  }
  return { part: 'notes', notes: [...(isOn ? [] : [off]), ...(held > 0 ? [waits] : [])] }
}
