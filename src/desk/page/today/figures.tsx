import { Fragment, type ReactNode } from 'react'
import { grouped, percent } from '../../../shared/counted.ts'
import type { PeopleCounts, TodayState } from '../../contract/today.ts'
import { localTime } from '../times.ts'
import { useShell } from '../view.ts'

/** The figures in the first line: all subscribers, and today's sign-ups and visits. */
export function Figures({ state }: { readonly state: TodayState }) {
  const { people, signUpsToday, visits, conversion } = state
  return (
    <dl className="figures ruled">
      <Figure name="Subscribers" value={grouped(people.subscribed)} isLarge>
        <Standings people={people} />
      </Figure>
      <Figure name="Today" value={signUpsToday > 0 ? `+${grouped(signUpsToday)}` : '0'}>
        <AgainstUsual state={state} />
      </Figure>
      <Figure name="Visits today" value={grouped(visits.first)}>
        {visitsBeside(visits)}
      </Figure>
      <Figure name="Conversion" value={conversion.today === null ? '–' : percent(conversion.today)}>
        {conversion.week === null
          ? 'sign-ups for each hundred visits'
          : `${percent(conversion.week)} in the last 7 days`}
      </Figure>
    </dl>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly isLarge?: boolean
  readonly children: ReactNode
}

function Figure({ name, value, isLarge, children }: FigureProps) {
  return (
    <div className="figure" data-large={isLarge}>
      <dt className="note">{name}</dt>
      <dd className={`figure-value ${isLarge ? 'large' : ''}`}>{value}</dd>
      <dd className="figure-note note">{children}</dd>
    </div>
  )
}

/** The number of people in each other standing, where it is not zero. */
function Standings({ people }: { readonly people: PeopleCounts }) {
  const { confirmed, toConfirm, pending, quarantined, unsubscribed, bounced, complained } = people
  const gone = unsubscribed + bounced + complained
  const beside = [
    [toConfirm, 'not confirmed'],
    [pending, 'said “not me”'],
    [quarantined, 'quarantined'],
    [gone, 'who left'],
  ] as const
  const others = beside.filter(([count]) => count)
  const said = [
    ...(confirmed ? [[confirmed, 'ever confirmed', ''] as const] : []),
    // Not among the figure above them.
    ...others.map(([count, word], i) => [count, word, i === 0 ? 'besides: ' : ''] as const),
  ]
  if (said.length === 0) return people.subscribed > 0 ? 'who get letters' : 'nobody yet'
  return said.map(([count, word, before], i) => (
    <Fragment key={word}>
      <span className="whole">
        {before}
        {grouped(Number(count))} {word}
        {i < said.length - 1 && ' ·'}
      </span>{' '}
    </Fragment>
  ))
}

function AgainstUsual({ state: { signUpsToday, usual, at } }: { readonly state: TodayState }) {
  const { clock } = localTime(at, useShell().zone)
  if (usual === null) return 'nothing to compare with yet'
  if (usual < 1) return `usually none by ${clock}`
  const share = (100 * (signUpsToday - usual)) / usual
  if (Math.abs(share) < 1) return `as usual at ${clock}`
  return (
    <>
      <span className="trend whole" data-up={share > 0}>
        <span aria-hidden="true">{share > 0 ? '▲' : '▼'} </span>
        <span className="visually-hidden">{share > 0 ? 'up ' : 'down '}</span>
        {grouped(Math.abs(share))} %
      </span>{' '}
      against the usual at {clock}
    </>
  )
}

function visitsBeside({ isAny, robots }: TodayState['visits']): string {
  if (robots > 0) return `and ${grouped(robots)} more by robots`
  return isAny ? 'none by robots' : 'none counted yet'
}
