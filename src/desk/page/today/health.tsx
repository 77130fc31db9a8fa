import type { Note } from '../../../shared/report.ts'
import { say } from '../../../shared/say.ts'
import type { TodayState } from '../../contract/today.ts'
import { Around } from '../parts/around.tsx'
import { Light, Lights, Notice } from '../parts/light.tsx'
import { Section } from '../parts/section.tsx'
import { Time } from '../parts/time.tsx'
import { NoteText, toneOf } from '../report/note.tsx'

const isHeld = ({ code }: Note) => code === 'letters-held'

/** Whether what the page and its letters need is in order. Letters that wait stand above alone. */
export function Health({ state }: { readonly state: TodayState }) {
  const notes = state.health.filter((note) => !isHeld(note))
  return (
    <Section title={say('Health')} className="health">
      <Lights>
        {notes.map((note) => (
          <Light key={keyOf(note)} tone={toneOf(note)} title={note.label}>
            <NoteText {...note} />
          </Light>
        ))}
      </Lights>
    </Section>
  )
}

/** What is not in order, and letters that wait, above everything else: a line for each. */
export function Troubles({ state }: { readonly state: TodayState }) {
  const troubles = state.health.filter(
    (note) => isHeld(note) || (note.weight === 'bad' && !(state.trouble && note.code === 'file')),
  )
  if (!state.trouble && troubles.length === 0) return null
  return (
    <div className="troubles after-3">
      {state.trouble && (
        <Notice tone="bad" title={state.trouble}>
          <Around text={say('This is as of {time}')}>
            <Time at={state.at} />
          </Around>
        </Notice>
      )}
      {troubles.map((note) => (
        <Notice key={keyOf(note)} tone={toneOf(note)} title={note.label}>
          <NoteText {...note} />
        </Notice>
      ))}
    </div>
  )
}

const keyOf = ({ code, text }: Note) => `${code} ${text}`
