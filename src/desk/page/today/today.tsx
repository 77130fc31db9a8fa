import { useEffect, useRef, useState } from 'react'
import {
  besideFigure,
  type Figure,
  isShown,
  type Part,
  valueInWords,
} from '../../../shared/report.ts'
import { say, spokenLanguage } from '../../../shared/say.ts'
import { deskPaths, type TodayPage } from '../../contract/pages.ts'
import type { TodayState } from '../../contract/today.ts'
import { listen } from '../listen.ts'
import { ShellProvider, useShell } from '../parts/view.ts'
import { PlacesBeneath } from '../places-beneath.tsx'
import { ActsOf } from '../report/act.tsx'
import { ReportTable } from '../report/report-table.tsx'
import { Shown } from '../report/value.tsx'
import { Curve } from './curve.tsx'
import { Health, Troubles } from './health.tsx'

/** The first page: how many signed up, how fast, from where, and whether all is in order. */
export function Today({ state: first, span }: TodayPage) {
  const [state, setState] = useState(first)
  const shell = useShell()
  useEffect(() => listen<TodayState>(shell.events, 'today', setState), [shell.events])
  const { parts } = state.report
  const steps = parts.find((part) => part.part === 'acts')
  const tables = parts.filter((part) => part.part === 'table').filter(({ rows }) => rows.length > 0)
  const isLatest = ({ name }: (typeof tables)[number]) => name === 'latest'
  const drawn = (some: typeof tables) => some.map((one) => <ReportTable key={one.name} {...one} />)
  return (
    <ShellProvider value={{ ...shell, now: state.at }}>
      <h1 className="visually-hidden">{say('Today')}</h1>
      <Spoken parts={parts} />
      <Troubles state={state} />
      <p className="page-is note after-5" data-open={state.opening.isOpen}>
        <span className="dot" />
        <a href={deskPaths.opening}>{state.opening.words}</a>
      </p>
      <Strip parts={parts} />
      {steps && steps.acts.length > 0 ? (
        <ActsOf {...steps} />
      ) : (
        <>
          <Curve state={state} span={span} />
          <div className="columns ruled">
            <div>
              {drawn(tables.filter((one) => !isLatest(one)))}
              <div className="pad">
                <PlacesBeneath place="today" />
              </div>
            </div>
            <div>{drawn(tables.filter(isLatest))}</div>
          </div>
        </>
      )}
      <Health state={state} />
    </ShellProvider>
  )
}

interface PartsProps {
  readonly parts: readonly Part[]
}

const columnsOf = ({ parts }: PartsProps) =>
  parts.flatMap((part) => (part.part === 'figures' ? [part.figures] : []))

/** Each part of figures in a column: its first one large, the others beside it. */
function Strip(props: PartsProps) {
  return (
    <dl className="figures ruled">
      {columnsOf(props).map(
        ([first, ...others]) =>
          first && (
            <div className="figure" key={first.name} data-large={first.isLead}>
              <dt className="note">{first.label}</dt>
              <dd className={`figure-value ${first.isLead ? 'large' : ''}`}>
                {first.value === null ? '–' : <Shown {...first} />}
              </dd>
              <dd className="figure-note note">
                {[besideFigure(first), ...others.filter(isShown).map(inShort)]
                  .filter(Boolean)
                  .join(' · ')}
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** `22 quarantined`; in German, where a noun keeps its capital, `In Quarantäne: 22`. */
function inShort({ value, kind, label }: Figure): string {
  const said = valueInWords(value, kind)
  if (spokenLanguage() === 'de') return `${label}: ${said}`
  return `${said} ${label.charAt(0).toLowerCase()}${label.slice(1)}`
}

/** A screen reader is told once a minute at most, and not of each sign-up. */
const EVERY_MS = 60_000

/** Says how many there are, for a screen reader, once that has changed. */
function Spoken(props: PartsProps) {
  const [people, today] = columnsOf(props).flatMap(([first]) => first ?? [])
  const words = [people, today].flatMap((one) => (one ? [inShort(one)] : [])).join(', ')
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
