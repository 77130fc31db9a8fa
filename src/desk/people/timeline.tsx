import type { Moment } from '../../shared/desk-people.ts'
import { Time } from '../parts/time.tsx'

/** What happened, newest first, along a line. */
export function Timeline({ moments }: { readonly moments: readonly Moment[] }) {
  return (
    <ol className="timeline">
      {moments.map(({ at, mark, title, lines, quote }) => (
        <li key={`${at} ${title}`} data-standing={mark}>
          <span className="dot" />
          <div className="moment">
            <p className="strong">{title}</p>
            <p className="moment-at whole quiet">
              <Time at={at} />
            </p>
            {lines.map((line) => (
              <p key={line} className="note">
                <bdi>{line}</bdi>
              </p>
            ))}
            {quote !== null && (
              <blockquote>
                <bdi>{quote}</bdi>
              </blockquote>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
