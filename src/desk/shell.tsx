import type { ReactNode } from 'react'
import { type DeskFrame, type DeskSection, deskPath, deskSections } from '../shared/desk-shell.ts'
import { type LiveStatus, useLiveStatus } from './live.ts'
import { localTime, useZone } from './times.ts'

interface ShellProps {
  readonly frame: DeskFrame
  /** Left out on pages of no section, such as the one behind a link. */
  readonly section?: DeskSection
  /** The page's heading, for whoever does not see the bar. */
  readonly title: string
  readonly children: ReactNode
}

const names: Readonly<Record<DeskSection, string>> = {
  today: 'Today',
  people: 'People',
  letters: 'Letters',
  access: 'Access',
}

/** What stands around every page of the desk: the bar with its sections, and the live mark. */
export function Shell({ frame, section, title, children }: ShellProps) {
  const { name, logo } = frame
  return (
    <div className="desk">
      <header className="bar">
        <a className="to-content" href="#content">
          To the content
        </a>
        <a className="bar-brand" href={section ? deskPath('today') : undefined}>
          <img src={`/${logo}`} alt="" width="26" height="26" />
          <span dir="auto">{name}</span>
        </a>
        {section && <Sections current={section} />}
        {section && <LiveMark at={frame.at} zone={frame.zone} />}
      </header>
      <main id="content" tabIndex={-1}>
        <h1 className="visually-hidden">{title}</h1>
        {children}
      </main>
    </div>
  )
}

function Sections({ current }: { readonly current: DeskSection }) {
  return (
    <nav className="sections" aria-label="Sections">
      <ul>
        {deskSections.map((section) => (
          <li key={section}>
            <a href={deskPath(section)} aria-current={section === current ? 'page' : undefined}>
              {names[section]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const statusWords: Readonly<Record<LiveStatus, string>> = {
  still: 'as of',
  live: 'live ·',
  reconnecting: 'reconnecting ·',
}

/** Whether the page is live, and the time that it shows, with its zone. */
function LiveMark({ at, zone: server }: Pick<DeskFrame, 'at' | 'zone'>) {
  const status = useLiveStatus()
  const zone = useZone(server)
  return (
    <p className="live" data-status={status}>
      <span className="live-dot" />
      <span className="live-words">
        {statusWords[status]} <time dateTime={at}>{localTime(at, zone).clock}</time> {zone}
      </span>
    </p>
  )
}
