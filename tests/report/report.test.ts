import { expect, it } from 'vitest'
import { asJson } from '../../src/report/json.ts'
import { inText } from '../../src/report/terminal.ts'
import { actOn, type Figure, type Report, type Table } from '../../src/shared/report.ts'
import { plain } from '../../src/terminal/style.ts'

const text = (report: Report, all?: boolean) => inText(report, { style: plain, all })

const figures = (...some: Partial<Figure>[]): Report => ({
  title: 'Loaves',
  parts: [
    {
      part: 'figures',
      figures: some.map((one) => ({ name: 'loaves', label: 'Loaves', value: 0, ...one })),
    },
  ],
})

const table = (more: Partial<Table>): Report => ({
  title: 'Loaves',
  parts: [
    {
      part: 'table',
      name: 'ovens',
      title: 'By oven',
      columns: [
        { name: 'name', kind: 'foreign', without: 'no oven' },
        { name: 'dough', head: 'Dough' },
        { name: 'loaves', head: 'Loaves', of: 'dough' },
      ],
      rows: [],
      most: 2,
      ...more,
    },
  ],
})

const rows = [
  { name: 'left', dough: 1200, loaves: 36 },
  { dough: 19, loaves: 19 },
  { name: 'right', dough: 20, loaves: 0 },
]

it('a report says each figure with its share, of fewer than twenty as a number alone', () => {
  const of = (all: number, value: number) =>
    text(figures({ value, of: { all, what: 'ordered' }, remark: 'half of them rye' }))
  expect(of(4000, 120)).toBe('Loaves\n\nLoaves  120  of 4,000 ordered, 3 %, half of them rye\n')
  expect(of(19, 2)).toBe('Loaves\n\nLoaves  2  of 19 ordered, half of them rye\n')
})

it('a report leaves out what is zero or not known, but for what it is about', () => {
  const some = figures({}, { value: null }, { value: 5, label: 'Rolls' })
  expect(text(some)).toBe('Loaves\n\nRolls  5\n')
  expect(text(some, true)).toMatch(/^Loaves +0$/m)
  expect(text(figures({ isLead: true }))).toBe('Loaves  0\n')
})

it('a table says shares, names what has no name, and how many rows are not shown', () => {
  expect(text(table({ rows }))).toBe(
    [
      'Loaves',
      '',
      'By oven  Dough  Loaves',
      'left     1,200      36  3 %',
      'no oven     19      19',
      '1 more: --all shows them',
      '',
    ].join('\n'),
  )
  expect(text(table({ rows }), true)).toMatch(/^right +20 +0 +0 %$/m)
  expect(text(table({}))).toBe('Loaves\n')
  const long = { rows: [{ name: 'a'.repeat(60), dough: 1, loaves: 1 }] }
  expect(text(table(long))).toContain(`${'a'.repeat(39)}… `)
  expect(text(table(long), true)).toContain('a'.repeat(60))
})

it('a program gets figures, rows and codes by their names, all of them', () => {
  const parts = [
    ...figures({ value: 3, data: { medianMs: 5 } }).parts,
    ...table({ rows }).parts,
    { part: 'notes', notes: [{ code: 'cold', text: 'The oven is cold.', data: { at: 1 } }] },
  ] as const
  expect(asJson({ title: '', parts })).toEqual({
    loaves: 3,
    medianMs: 5,
    ovens: rows,
    notes: [{ code: 'cold', at: 1 }],
  })
})

it('a note says how it stands, and what can be done for it', () => {
  const act = { code: 'heat', words: 'To heat it', command: 'heat' }
  const of = (weight?: 'good' | 'look' | 'bad') =>
    text({
      title: 'Oven',
      parts: [
        {
          part: 'notes',
          notes: [{ code: 'cold', text: 'It is cold.', act, ...(weight && { weight }) }],
        },
      ],
    })
  expect(of()).toMatch(/^Oven\n\nIt is cold\. To heat it: \S+opening-bell heat\n$/)
  expect(of('look')).toContain('LOOK: It is cold. To heat it')
  expect(of('bad')).toContain('PROBLEM: It is cold. To heat it')
  expect(of('good')).toBe('Oven\n')
})

it('what is done to a row takes the values that its command names', () => {
  const act = { code: 'heat', words: 'Heat', command: 'heat <name> --to <dough>' }
  expect(actOn(act, { name: 'left', dough: 1200, loaves: 36 })).toEqual({
    command: 'heat left --to 1200',
    values: { name: 'left', dough: '1200' },
  })
  expect(actOn(act, { name: 'left' }).command).toBe('heat left --to <dough>')
})
