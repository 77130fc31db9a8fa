import type { Moment } from '../../contract/people.ts'
import { Time } from '../parts/time.tsx'

/** What happened, newest first, along a line. */
export function Timeline({ moments }: { readonly moments: readonly Moment[] }) {
  return (
    <ol className="timeline after-4">
      {moments.map(({ at, mark, title, lines, quote }) => (
        <li key={`${at} ${title}`} data-standing={mark}>
          <span className="dot" />
          <div className="spread">
            <p className="strong">{title}</p>
            <p className="whole quiet">
              <Time at={at} />
            </p>
          </div>
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
        </li>
      ))}
    </ol>
  )
}
