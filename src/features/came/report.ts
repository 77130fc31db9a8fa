import { groupings } from '../../people/known-fields.ts'
import type { Column, Figure, Notes, Report, Table } from '../../shared/report.ts'
import { say } from '../../shared/say.ts'
import { halfWithin } from '../../terminal/words.ts'
import type { CameGroup, WhoCame } from './who-came.ts'

/** How many rows of a table are shown at first. */
const SHOWN = 12

/** Who of those told became a user: as figures, by letter, by source and by week of sign-up. */
export function reportOfCame(figures: WhoCame): Report {
  const { uncertain, others, letters, sources, groups, weeks } = figures
  return {
    title: say('Who became a user'),
    parts: [
      {
        part: 'figures',
        figures: [
          { ...cameFigure(figures), isLead: true },
          {
            ...{ name: 'uncertain', label: say('Uncertain'), value: uncertain },
            remark: say('of those told: whether their letter arrived is not known'),
          },
          {
            name: 'others',
            label: say('Others'),
            value: others,
            remark: say('users who got no letter, or were users before it'),
          },
        ],
      },
      nobody(figures),
      table('letters', say('By first letter'), letters, { kind: 'text' }),
      table('sources', say('By source'), sources, { without: say('direct or imported') }),
      ...groupings.map(({ name, title, without, isForeign }, i) =>
        table(name, title, groups[i] ?? [], { kind: isForeign ? 'foreign' : 'text', without }),
      ),
      table('weeks', say('By week of sign-up'), weeks.toReversed(), { kind: 'text' }),
    ],
  }
}

/** How many of those told became users, and how fast, here and in `status`. */
export function cameFigure({
  told,
  came,
  medianMs,
}: Pick<WhoCame, 'told' | 'came' | 'medianMs'>): Figure {
  return {
    name: 'came',
    label: say('Became users'),
    value: came,
    of: { all: told, what: say('told') },
    remark: medianMs === null ? '' : halfWithin(came, medianMs / 1000),
    data: { told, medianMs },
  }
}

/** Before anybody is told or came, what to do for it. */
function nobody({ told, others }: WhoCame): Notes {
  const note = {
    code: 'nobody',
    text: say('Nobody was told yet, and nobody on the list is known to be a user.'),
    act: {
      code: 'accounts',
      words: say("Give your product's accounts"),
      command: 'came accounts.csv',
    },
  }
  return { part: 'notes', notes: told + others === 0 ? [note] : [] }
}

function table(
  name: string,
  title: string,
  rows: readonly CameGroup[],
  named: Partial<Column>,
): Table {
  return {
    part: 'table',
    name,
    title,
    columns: [
      { name: 'name', kind: 'foreign', ...named },
      { name: 'told', head: say('Told') },
      { name: 'came', head: say('Users'), of: 'told' },
    ],
    rows: rows.map((row) => ({ ...row })),
    most: SHOWN,
  }
}
