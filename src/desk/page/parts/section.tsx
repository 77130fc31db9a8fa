import type { ReactNode } from 'react'

interface SectionProps {
  /** For links to it. */
  readonly id?: string
  readonly title: ReactNode
  /** At the right of the title, such as a link to all. */
  readonly aside?: ReactNode
  /** A word of CSS for its place on the page. */
  readonly className?: string
  readonly children: ReactNode
}

/** A part of a page with its heading. A hairline above it, no box around it. */
export function Section({ id, title, aside, className = '', children }: SectionProps) {
  return (
    <section id={id} className={`section ${className}`.trim()}>
      <header className="spread note">
        <h2>{title}</h2>
        {aside && <div className="section-aside">{aside}</div>}
      </header>
      {children}
    </section>
  )
}
