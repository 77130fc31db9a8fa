import {
  besideFigure,
  type Figure,
  isShown,
  leadOf,
  type Note,
  type Part,
  type Report,
} from '../../../shared/report.ts'
import { translated } from '../../../shared/say.ts'
import type { ReportPage as Page } from '../../contract/pages.ts'
import { Back } from '../parts/back.tsx'
import { Definition, Definitions } from '../parts/definitions.tsx'
import { Done, Notice } from '../parts/light.tsx'
import { ActOf, ActsOf } from './act.tsx'
import { inTwo, isWide } from './layout.ts'
import { NoteText, toneOf } from './note.tsx'
import { ReportTable } from './report-table.tsx'
import { Timeline } from './timeline.tsx'
import { Shown } from './value.tsx'

/** A page that is a report alone: its lead or its title, its notes, and its parts in two columns. */
export function ReportPage({ report, above, done = null }: Page) {
  const lead = leadOf(report)
  return (
    <div>
      <Back to={above.path}>{translated(above.title)}</Back>
      <Done note={done} />
      {lead ? <Lead {...lead} as="h1" /> : <h1 className="heading">{report.title}</h1>}
      {notesOf(report).map((note) => (
        <NoteOf key={note.code} {...note} />
      ))}
      <Parts {...report} />
    </div>
  )
}

/** What it says besides figures and tables. */
export const notesOf = ({ parts }: Report) =>
  parts.flatMap((part) => (part.part === 'notes' ? part.notes : []))

/** All but its lead and its notes: in two columns, and then what is wide. */
export function Parts(report: Report) {
  const parts = report.parts.filter(isDrawn)
  const [left, right] = inTwo(parts.filter((part) => !isWide(part)))
  return (
    <>
      {left.length > 0 && (
        <div className={right.length > 0 ? 'columns over after-6' : 'over after-6'}>
          <div>{left.map(drawn)}</div>
          <div>{right.map(drawn)}</div>
        </div>
      )}
      {parts.filter(isWide).map(drawn)}
    </>
  )
}

/** The figure that it is about. @param as the element that its value stands in */
export function Lead({ as: Value, ...figure }: Figure & { readonly as: 'h1' | 'p' }) {
  return (
    <>
      <p className="note after-6">{figure.label}</p>
      <Value className={typeof figure.value === 'number' ? 'large' : 'heading'}>
        <Shown {...figure} />
      </Value>
      <Beside {...figure} />
    </>
  )
}

function Beside(figure: Figure) {
  const beside = besideFigure(figure)
  return beside && <p className="note">{beside}</p>
}

/** What is zero, good or empty takes no space. */
function isDrawn(part: Part): boolean {
  if (part.part === 'notes') return false
  if (part.part === 'table') return part.rows.length > 0
  if (part.part === 'acts') return part.acts.length > 0
  return part.part !== 'figures' || restOf(part.figures).length > 0
}

const restOf = (figures: readonly Figure[]) =>
  figures.filter((figure) => isShown(figure) && !figure.isLead)

function drawn(part: Part) {
  if (part.part === 'table') return <ReportTable key={part.name} {...part} />
  if (part.part === 'history') return <Timeline key={part.name} {...part} />
  if (part.part === 'acts') return <ActsOf key={part.title} {...part} />
  if (part.part === 'notes') return null
  return (
    <Definitions key={part.figures[0]?.name} className="section">
      {restOf(part.figures).map((figure) => (
        <Definition key={figure.name} term={figure.label}>
          <Shown {...figure} />
          <Beside {...figure} />
          {figure.act && <ActOf {...figure.act} />}
        </Definition>
      ))}
    </Definitions>
  )
}

function NoteOf(note: Note) {
  if (note.weight === 'good') return null
  if (note.weight)
    return (
      <Notice tone={toneOf(note)} title={note.label ?? <NoteText {...note} />}>
        {note.label && <NoteText {...note} />}
      </Notice>
    )
  return (
    <p className="quiet narrow after-4">
      <NoteText {...note} />
    </p>
  )
}
