import type { History } from '../../../shared/report.ts'
import { Section } from '../parts/section.tsx'
import { Time } from '../parts/time.tsx'

/** What happened, newest first, along a line. */
export function Timeline({ title, moments }: History) {
  return (
    <Section title={title}>
      <ol className="timeline after-4">
        {moments.map(({ at, mark, title, lines = [], quote }) => (
          <li key={`${at} ${title}`} data-standing={mark}>
            <span className="dot" />
            <div className="spread">
              <p className="strong">{title}</p>
              <p className="whole quiet">
                <Time at={Date.parse(at)} />
              </p>
            </div>
            {lines.map((line) => (
              <p key={line} className="note">
                <bdi>{line}</bdi>
              </p>
            ))}
            {quote && (
              <blockquote>
                <bdi>{quote}</bdi>
              </blockquote>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}
