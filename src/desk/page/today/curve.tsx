import { grouped } from '../../../shared/counted.ts'
import { say } from '../../../shared/say.ts'
import { deskPaths } from '../../contract/pages.ts'
import {
  type CurveOfSignUps,
  curveSpans,
  type Span,
  type TodayState,
} from '../../contract/today.ts'
import { Section } from '../parts/section.tsx'
import { Table } from '../parts/table.tsx'
import { useShell } from '../parts/view.ts'
import { type Point, pointsOf } from './points.ts'

/** Of the usual length, and of another one. */
const titles = {
  hour: [48, 'Sign-ups an hour, two days', 'Sign-ups an hour, the last {length} hours'],
  day: [42, 'Sign-ups a day, six weeks', 'Sign-ups a day, the last {length} days'],
  week: [26, 'Sign-ups a week, half a year', 'Sign-ups a week, the last {length} weeks'],
} as const

function titleOf(span: Span, length: number): string {
  const [usual, title, other] = titles[span]
  return length === usual ? say(title) : say(other, { length })
}

interface CurveProps {
  readonly state: TodayState
  readonly span: Span
}

/** The growth of the list: a bar for each hour, day or week, and a line of the total. */
export function Curve({ state, span }: CurveProps) {
  const curve = state.curves[span]
  const points = pointsOf(curve, span, useShell().zone)
  const title = titleOf(span, points.length)
  return (
    <Section
      title={title}
      className="ruled"
      aside={
        <ul className="choice">
          {curveSpans.map((one) => (
            <li key={one}>
              <a href={`${deskPaths.today}?span=${one}`} aria-current={one === span || undefined}>
                {say(one)}
              </a>
            </li>
          ))}
        </ul>
      }
    >
      <Chart points={points} curve={curve} title={title} />
      <details className="as-table tag after-1">
        <summary>{say('As a table')}</summary>
        <Table
          caption={title}
          columns={[
            { key: 'name', head: say(span), cell: ({ name }) => name },
            {
              key: 'signUps',
              head: say('Sign-ups'),
              cell: (one) => grouped(one.signUps),
              isNumber: true,
            },
            {
              key: 'total',
              head: say('In all'),
              cell: ({ total }) => grouped(total),
              isNumber: true,
            },
          ]}
          rows={points.toReversed()}
          keyOf={({ start }) => String(start)}
        />
      </details>
    </Section>
  )
}

const HEIGHT = 100
const STEP = 10
const BAR = 8.6

interface ChartProps {
  readonly points: readonly Point[]
  readonly curve: CurveOfSignUps
  readonly title: string
}

function Chart({ points, curve, title }: ChartProps) {
  return (
    <figure>
      <figcaption className="chart-legend row tag">
        <Key points={points} curve={curve} />
      </figcaption>
      <div className="chart-area ruled">
        <Bars points={points} curve={curve} title={title} />
      </div>
      <div className="spread tag after-1" aria-hidden="true">
        {labelled(points).map(({ start, label }) => (
          <span key={start}>{label}</span>
        ))}
      </div>
    </figure>
  )
}

const Key = ({ points, curve }: Pick<ChartProps, 'points' | 'curve'>) => (
  <>
    <span className="key" data-of="bar" />{' '}
    {say('sign-ups, highest {most}', { most: grouped(Math.max(0, ...curve.signUps)) })}{' '}
    <span className="key" data-of="line" />{' '}
    {say('total sign-ups, from {first} to {last}', {
      first: grouped(curve.before),
      last: grouped(points.at(-1)?.total ?? curve.before),
    })}
  </>
)

function Bars({ points, curve, title }: ChartProps) {
  const most = Math.max(1, ...curve.signUps)
  return (
    <svg
      viewBox={`0 0 ${points.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={say(
        '{title}: a bar for each, and a line of everybody. The table below has the numbers.',
        { title },
      )}
    >
      {points.map(({ start, name, signUps }, i) => (
        <rect
          key={start}
          className="chart-bar"
          data-now={i === points.length - 1 || undefined}
          x={i * STEP + (STEP - BAR) / 2}
          width={BAR}
          {...barOf(signUps, most)}
        >
          <title>{`${name}: ${grouped(signUps)}`}</title>
        </rect>
      ))}
      <polyline className="chart-line" points={lineOf(points, curve.before)} />
    </svg>
  )
}

/** The smallest number above zero is still visible. */
function barOf(signUps: number, most: number) {
  const height = signUps > 0 ? Math.max(1, (signUps / most) * (HEIGHT - 2)) : 0
  return { y: round(HEIGHT - height), height: round(height) }
}

function lineOf(points: readonly Point[], before: number): string {
  const all = (points.at(-1)?.total ?? before) - before
  const y = (total: number) =>
    round(HEIGHT - 1 - ((total - before) / Math.max(1, all)) * (HEIGHT - 2))
  const ends = points.map(({ total }, i) => `${(i + 1) * STEP},${y(total)}`)
  return [`0,${y(before)}`, ...ends].join(' ')
}

const round = (value: number) => Math.round(value * 100) / 100

/** The first, the last, and two between. */
function labelled(points: readonly Point[]): Point[] {
  const last = points.length - 1
  return [0, last / 3, (2 * last) / 3, last].flatMap((i) => points[Math.round(i)] ?? [])
}
