import type { ProblemPage } from '../shared/desk-pages.ts'
import { ButtonLink } from './parts/button.tsx'
import { useShell } from './view.ts'

/** What could not be done, and the way to try once more. */
export function Problem({ title, text }: ProblemPage) {
  const { path } = useShell()
  return (
    <div className="problem">
      <h1>{title}</h1>
      <p>{text}</p>
      <ButtonLink href={path}>Try again</ButtonLink>
    </div>
  )
}
