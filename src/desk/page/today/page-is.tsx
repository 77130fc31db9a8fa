import { deskPaths } from '../../contract/pages.ts'
import type { TodayState } from '../../contract/today.ts'
import { Time } from '../parts/time.tsx'
import { fromNow } from '../times.ts'

/** Which page visitors see, and when that changes. */
export function PageIs({ state: { opening, at } }: { readonly state: TodayState }) {
  return (
    <p className="page-is note after-5" data-open={opening?.isOpen}>
      <span className="dot" />
      <a href={deskPaths.opening}>
        {opening ? (
          <>
            {opening.isOpen ? 'Open since ' : 'Opens '}
            <Time at={opening.at} />
            {`, ${fromNow(opening.at, at)}`}
          </>
        ) : (
          'Coming Soon, and no opening is set'
        )}
      </a>
    </p>
  )
}
