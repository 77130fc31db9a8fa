import type { ReactNode } from 'react'
import { grouped } from '../../../shared/counted.ts'
import { duration } from '../../../shared/duration.ts'
import { summands } from '../../../shared/end-words.ts'
import {
  isRunning,
  type LetterPage,
  type LetterProgress,
  peopleToTell,
  type UnsentRow,
} from '../../contract/letters.ts'
import { deskPaths } from '../../contract/pages.ts'
import { Button } from '../parts/button.tsx'
import { Notice, type Tone } from '../parts/light.tsx'
import { Section } from '../parts/section.tsx'
import { StandingMark } from '../parts/standing-mark.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { PostForm } from '../post-form.tsx'
import { LetterMark } from './letter-mark.tsx'

/** How far the announcement is, and its result. */
export function Progress(page: LetterPage) {
  const { progress } = page
  const { state, eligible, tally, by, balance, end, pace } = progress
  const toTell = peopleToTell(eligible, tally)
  return (
    <Section
      className="ruled"
      title="The announcement"
      aside={<LetterMark state={state} told={tally.sent} of={toTell} />}
    >
      <Figures {...page} />
      {eligible > 0 && (
        <>
          <Bar progress={progress} />
          <Tally {...progress} />
        </>
      )}
      {progress.leftOut.length > 0 && (
        <p className="note after-4">
          Suppressed:{' '}
          {progress.leftOut.map(({ why, count }) => `${why} (${grouped(count)})`).join(' · ')}
        </p>
      )}
      {by && <p className="note after-4">A command on {by}, is sending it, not this desk.</p>}
      {pace && <Notice tone={isRunning(state) ? 'calm' : 'warn'} title={pace} />}
      {end && <End {...progress} end={end} />}
      <GoOn {...page} />
      {!end && balance && <Notice tone={balance.holds ? 'good' : 'bad'} title={balance.text} />}
      {progress.found.length > 0 && (
        <details className="note after-4">
          <summary>What the run found</summary>
          <ul className="after-2">
            {progress.found.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  )
}

function Figures({ name, progress }: LetterPage) {
  const { state, eligible, tally, run, perSecond, secondsLeft = 0 } = progress
  const running = isRunning(state)
  return (
    <div className="letter-figures row after-3">
      {eligible > 0 && (
        <Figure name="Told" value={tally.sent} isLarge>
          {/* Until its turn, nobody knows whether somebody in the queue has left. */}
          {state === 'told' ? `of ${grouped(peopleToTell(eligible, tally))}` : 'so far'}
        </Figure>
      )}
      {running && run && (
        <Figure name="This run" value={run.done}>
          of {grouped(run.people)}
          {progress.again > 0 && `, ${grouped(progress.again)} to be tried again`}
        </Figure>
      )}
      {running && perSecond !== undefined && (
        <Figure name="Letters a second" value={perSecond}>
          {secondsLeft > 0 && `${duration(secondsLeft)} left at this speed`}
        </Figure>
      )}
      {running && (
        <PostForm action={`${deskPaths.letters}/${name}/stop`}>
          <Button kind="danger" disabled={state === 'stopping'}>
            {state === 'stopping' ? 'Stopping' : 'Stop'}
          </Button>
        </PostForm>
      )}
    </div>
  )
}

const Tally = ({ tally }: Pick<LetterProgress, 'tally'>) => (
  <dl className="row wide after-3">
    {summands.map((status) => (
      <div key={status} className="row">
        <dt className="quiet">
          <StandingMark standing={status} />
        </dt>
        <dd>{grouped(tally[status])}</dd>
      </div>
    ))}
  </dl>
)

/** Goes on with a run that was interrupted: its number was typed when it was begun. */
function GoOn({ name, progress, mistakes, missing, changedAt, ...page }: LetterPage) {
  const { goesOn } = progress
  if (!goesOn || changedAt === undefined || mistakes.length + missing.length > 0) return null
  const { nextRun: run, version, settings, check } = page
  const seen = { run, version, checkedAt: check?.at ?? '' }
  const values = { ...settings, ...seen, stage: goesOn, goOn: 'on' }
  return (
    <PostForm className="row after-4" action={`${deskPaths.letters}/${name}/send`} values={values}>
      <Button kind="main">Go on</Button>
    </PostForm>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: number
  readonly isLarge?: boolean
  readonly children: ReactNode
}

function Figure({ name, value, isLarge, children }: FigureProps) {
  const digits = Number.isInteger(value) || value >= 10 ? 0 : 1
  return (
    <div>
      <p className="note">{name}</p>
      <strong className={isLarge ? 'large' : 'title'}>
        {grouped(Number(value.toFixed(digits)))}
      </strong>{' '}
      <span className="quiet">{children}</span>
    </div>
  )
}

function End(props: LetterProgress & { readonly end: string }) {
  const { end, state, tally, balance, endedWell } = props
  // Who failed in a stage is counted above, and may be tried again in the next.
  const isWhole = state === 'partly' || (state !== 'stopped' && tally.failed === 0)
  const well: Tone = isWhole ? 'good' : 'warn'
  return (
    <Notice tone={balance?.holds === false || !endedWell ? 'bad' : well} title={end}>
      {balance?.text}
    </Notice>
  )
}

/**
 * The recipients by status. Each part is as wide as its share, and no part is too narrow to see.
 */
function Bar({ progress: { tally, eligible } }: { readonly progress: LetterProgress }) {
  const counts = summands.slice(0, -1).map((status) => [status, tally[status]] as const)
  // A few in thousands must be seen as well, so the largest part makes space for them.
  const widths = counts.map(([, count]) => (count > 0 ? Math.max(4, (count / eligible) * 1000) : 0))
  const over = Math.max(0, widths.reduce((sum, width) => sum + width, 0) - 1000)
  const largest = widths.indexOf(Math.max(...widths))
  let end = 0
  const parts = counts.map(([status], i) => {
    const width = (widths[i] ?? 0) - (i === largest ? over : 0)
    end += width
    return { status, width, x: end - width }
  })
  return (
    <svg
      className="letter-bar after-5"
      viewBox="0 0 1000 8"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${grouped(tally.sent)} told, ${grouped(tally.queued)} in the queue`}
    >
      <rect width="1000" height="8" />
      {parts.map(({ status, x, width }) => (
        <rect key={status} data-standing={status} x={x} width={width} height="8" />
      ))}
    </svg>
  )
}

const columns: readonly Column<UnsentRow>[] = [
  {
    key: 'email',
    head: 'Who',
    cell: ({ email }) => <bdi>{email ?? '(forgotten)'}</bdi>,
  },
  { key: 'status', head: 'Status', cell: ({ status }) => <StandingMark standing={status} /> },
  { key: 'answer', head: 'Why', cell: ({ answer }) => <span className="note">{answer}</span> },
]

/** Those without the letter, who get it only by an action. */
export function Unsent({
  name,
  progress: { unsent, unsentCount },
}: {
  readonly name: string
  readonly progress: LetterProgress
}) {
  if (unsentCount === 0) return null
  const file = `${deskPaths.letters}/${name}/not-sent.txt`
  return (
    <Section
      title={`Failed, uncertain, suppressed, forgotten: ${grouped(unsentCount)}`}
      aside={<a href={file}>all as a file</a>}
    >
      <Table
        caption="Failed, uncertain, suppressed, forgotten"
        columns={columns}
        rows={unsent}
        keyOf={(row) => `${row.email} ${unsent.indexOf(row)}`}
      />
      {unsentCount > unsent.length && (
        <p className="note after-4">
          The first {unsent.length} of {grouped(unsentCount)}.
        </p>
      )}
    </Section>
  )
}
