import { useEffect, useState } from 'react'
import type { TodayPage } from '../../contract/pages.ts'
import type { TodayState } from '../../contract/today.ts'
import { listen } from '../listen.ts'
import { Curve } from './curve.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Health, Troubles } from './health.tsx'
import { Held } from './held.tsx'
import { Latest } from './latest.tsx'
import { PageIs } from './page-is.tsx'
import { Sources } from './sources.tsx'
import { Spoken } from './spoken.tsx'

/** The first page: how many signed up, how fast, from where, and whether all is in order. */
export function Today({ state: first, span, sort }: TodayPage) {
  const [state, setState] = useState(first)
  useEffect(() => listen<TodayState>('today', setState), [])
  const { people, visits } = state
  const isNobodyHere = Object.values(people).every((count) => count === 0)
  return (
    <div>
      <h1 className="visually-hidden">Today</h1>
      <Spoken state={state} />
      <Troubles state={state} />
      <Held state={state} />
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
