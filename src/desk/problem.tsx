import { deskPaths, type ProblemPage } from '../shared/desk-pages.ts'
import { ButtonLink } from './parts/button.tsx'

/** What could not be done, and a way on. */
export function Problem({ title, text }: ProblemPage) {
  return (
    <div className="problem stack">
      <h1 className="heading">{title}</h1>
      <p className="quiet">{text}</p>
      <ButtonLink href={deskPaths.today}>To the first page</ButtonLink>
    </div>
  )
}
