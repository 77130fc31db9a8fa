import type { ReactNode } from 'react'
import { type Sentence, say } from '../../../shared/say.ts'
import type { DoneNote } from '../../contract/people.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'calm'

interface LightProps {
  readonly tone: Tone
  readonly title: ReactNode
  /** What it means, or what to do. */
  readonly children?: ReactNode
}

const toneWords: Readonly<Record<Tone, Sentence>> = {
  good: 'In order',
  warn: 'Look at this',
  bad: 'Not in order',
  calm: 'For your information',
}

/** One line of a list of checks; its shape says what its colour does. Put several into `Lights`. */
export function Light({ tone, title, children }: LightProps) {
  return (
    <li className="light" data-tone={tone}>
      <Sign tone={tone} />
      <div>
        <p>{title}</p>
        {children && <div className="note">{children}</div>}
      </div>
    </li>
  )
}

export function Lights({ children }: { readonly children: ReactNode }) {
  return <ul className="lights">{children}</ul>
}

/** Something that the operator should read first on a page. */
export function Notice({ tone, title, children }: LightProps) {
  return (
    <div className="notice" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Sign tone={tone} />
      <div>
        <p className="strong">{title}</p>
        {children && <div className="note">{children}</div>}
      </div>
    </div>
  )
}

/** What was asked for and not done, with the reason. */
export function NotDone(props: { readonly title?: string; readonly error: string | undefined }) {
  const { title = say('That was not done'), error } = props
  if (!error) return null
  return (
    <Notice tone="bad" title={title}>
      {error}
    </Notice>
  )
}

/** The result of an action. */
export function Done({ note }: { readonly note: DoneNote | null }) {
  if (!note) return null
  return (
    <Notice tone={note.isDone ? 'good' : 'warn'} title={note.title}>
      {note.text}
    </Notice>
  )
}

const signs: Readonly<Record<Tone, string>> = {
  good: 'M3.5 8.5l3 3 6-7',
  warn: 'M8 2.5l6 11H2zM8 6.5v3.25M8 11.5v.5',
  bad: 'M4 4l8 8M12 4l-8 8',
  calm: 'M8 7v5M8 4v.5',
}

function Sign({ tone }: { readonly tone: Tone }) {
  return (
    <svg className="sign" viewBox="0 0 16 16" role="img" aria-label={say(toneWords[tone])}>
      <path d={signs[tone]} />
    </svg>
  )
}
