import { beforeAct, type Note } from '../../../shared/report.ts'
import type { Tone } from '../parts/light.tsx'
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
