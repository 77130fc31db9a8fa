import { useEffect, useRef, useState } from 'react'
import { counted, grouped } from '../../../shared/counted.ts'
import { deskPaths, type TodayPage } from '../../contract/pages.ts'
import type { TodayState } from '../../contract/today.ts'
import { listen } from '../listen.ts'
import { Time } from '../parts/time.tsx'
import { fromNow } from '../times.ts'
import { useShell } from '../view.ts'
import { Curve } from './curve.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Health, Troubles } from './health.tsx'
import { Latest } from './latest.tsx'
import { Sources } from './sources.tsx'

/** The first page: how many signed up, how fast, from where, and whether all is in order. */
export function Today({ state: first, span, sort }: TodayPage) {
  const [state, setState] = useState(first)
  const { events } = useShell()
  useEffect(() => listen<TodayState>(events, 'today', setState), [events])
  const { people, visits } = state
  const isNobodyHere = Object.values(people).every((count) => count === 0)
  return (
    <div>
      <h1 className="visually-hidden">Today</h1>
      <Spoken state={state} />
      <Troubles state={state} />
      <PageIs state={state} />
      <Figures state={state} />
      {isNobodyHere && !visits.isAny ? (
        <FirstSteps />
      ) : (
        <>
          <Curve state={state} span={span} sort={sort} />
          <div className="columns ruled">
            <Sources state={state} span={span} sort={sort} />
            <Latest state={state} />
          </div>
        </>
      )}
      <Health state={state} />
    </div>
  )
}

/** Which page visitors see, and when that changes. */
function PageIs({ state: { opening, countdown, at } }: { readonly state: TodayState }) {
  return (
    <p className="page-is note after-5" data-open={opening?.isOpen}>
      <span className="dot" />
      <a href={deskPaths.opening}>
        {opening ? (
          <>
            {opening.isOpen ? 'Open since ' : 'Opens '}
            <Time at={opening.at} />
            {`, ${fromNow(opening.at, at)}`}
          </>
        ) : countdown === undefined ? (
          'Coming Soon, and no opening is set'
        ) : (
          <>
            Coming Soon, with a countdown to <Time at={countdown} />; no opening is set
          </>
        )}
      </a>
    </p>
  )
}

/** A screen reader is told once a minute at most, and not of each sign-up. */
const EVERY_MS = 60_000

/** Says how many there are, for a screen reader, once that has changed. */
function Spoken({ state }: { readonly state: TodayState }) {
  const { people, signUpsToday } = state
  const words = `${counted(people.subscribed, 'subscriber')}, ${grouped(signUpsToday)} today`
  const newest = useRef(words)
  newest.current = words
  const [said, setSaid] = useState('')
  useEffect(() => {
    const first = newest.current
    const timer = setInterval(
      () => setSaid((before) => (before || newest.current !== first ? newest.current : '')),
      EVERY_MS,
    )
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  )
}
