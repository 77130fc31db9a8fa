import type { ProblemPage } from '../shared/desk-pages.ts'

export function Problem({ title, text }: ProblemPage) {
  return (
    <div className="problem">
      <h1>{title}</h1>
      <p>{text}</p>
    </div>
  )
}
