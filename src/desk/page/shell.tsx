import type { ReactNode } from 'react'
import { type Sentence, say, translated } from '../../shared/say.ts'
import { deskPaths } from '../contract/pages.ts'
import { placesBeneath } from '../contract/places.ts'
import { type LiveStatus, useLiveStatus } from './live-status.ts'
import { localTime } from './parts/times.ts'
import { useShell } from './parts/view.ts'

/** The frame of every page of the desk: the bar with its sections, and the live mark. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { product } = useShell()
  return (
    <div className="desk">
      <header className="bar ruled">
        <a className="to-content" href="#content">
          {say('To the content')}
        </a>
        <a className="bar-brand" href={deskPaths.today}>
          <img src={`/${product.look.logo}`} alt="" width="26" height="26" />
          <span dir="auto">{product.name}</span>
        </a>
        <Sections />
        <LiveMark />
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function Sections() {
  const { path: here, places } = useShell()
  const isHere = (place: string) =>
    place === deskPaths.today ? here === place : here.startsWith(place)
  return (
    <nav className="sections" aria-label={say('Sections')}>
      <ul>
        {placesBeneath(places).map(({ path, title }) => (
          <li key={path}>
            <a href={path} aria-current={isHere(path) ? 'page' : undefined}>
              {translated(title)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const statusWords: Readonly<Record<LiveStatus['status'], Sentence>> = {
  still: 'as of',
  live: 'live ·',
  reconnecting: 'reconnecting',
  ended: 'session ended',
}

/** Whether the page is live, and the time that it shows, with its zone. */
function LiveMark() {
  const { now, zone } = useShell()
  const { status, at = now } = useLiveStatus()
  return (
    <p className="live" data-status={status}>
      <span className="dot" />
      <span className="live-words">
        {say(statusWords[status])}{' '}
        <span className="live-time">
          <time dateTime={new Date(at).toISOString()}>{localTime(at, zone).clock}</time> {zone}
        </span>
      </span>
    </p>
  )
}
