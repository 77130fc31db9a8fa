import { grouped } from '../../../shared/counted.ts'
import { beforeAct, type Note } from '../../../shared/report.ts'
import { say } from '../../../shared/say.ts'
import { Light, Lights, type Tone } from '../parts/light.tsx'
import { Ago } from '../parts/time.tsx'
import { ActOf } from './act.tsx'

/** How a note's weight is shown. */
export const toneOf = ({ weight }: Note): Tone => (weight === 'look' ? 'warn' : (weight ?? 'calm'))

/** A note's text, its time, and what can be done. */
export function NoteText(note: Note) {
  const { text, at, act, data } = note
  return (
    <>
      {text}
      {at !== undefined && (
        <>
          {' '}
          <Ago at={Date.parse(at)} />
        </>
      )}
      {act && (
        <>
          {beforeAct(note)}
          <ActOf {...act} row={data} />
        </>
      )}
    </>
  )
}

/** Each as a line with its sign; what is good behind a click. */
export function NoteLights({ notes }: { readonly notes: readonly Note[] }) {
  const good = notes.filter(({ weight }) => weight === 'good')
  return (
    <>
      <Lights>{notes.filter(({ weight }) => weight !== 'good').map(light)}</Lights>
      {good.length > 0 && (
        <details className="note after-1">
          <summary>{say('{notes} in order', { notes: grouped(good.length) })}</summary>
          <Lights>{good.map(light)}</Lights>
        </details>
      )}
    </>
  )
}

const light = (note: Note, at: number) => (
  <Light key={at} tone={toneOf(note)} title={note.label ?? <NoteText {...note} />}>
    {note.label && <NoteText {...note} />}
  </Light>
)
