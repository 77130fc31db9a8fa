import { useEffect, useState } from 'react'
import type { OpeningPage, OpeningState } from '../../contract/opening.ts'
import { deskPaths } from '../../contract/pages.ts'
import { listen } from '../listen.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Definition, Definitions } from '../parts/definitions.tsx'
import { Section } from '../parts/section.tsx'
import { localTime } from '../parts/times.ts'
import { useShell } from '../parts/view.ts'
import { LedTo } from './led-to.tsx'
import { Moments } from './moments.tsx'
import { OpeningForm } from './opening-form.tsx'

/** Which page visitors see, when that changes, and the form that sets it. */
export function Opening(page: OpeningPage) {
  const [state, setState] = useState(page.state)
  const { events } = useShell()
  useEffect(() => listen<OpeningState>(events, 'opening', setState), [events])
  const { set } = state
  return (
    <div>
      <p className="note after-6">The page is</p>
      <h1 className="large" data-open={set?.isOpen}>
        {set?.isOpen ? 'Open' : 'Coming Soon'}
      </h1>
      <div className="columns over after-6">
        <Section title="What is set">
          <Definitions>
            {set ? (
              <>
                <Definition term={set.isOpen ? 'Open since' : 'Opens'}>
                  <Moments at={set.at} zone={set.zone} />
                </Definition>
                <Definition term={set.isOpen ? 'Its button leads to' : 'Its button will lead to'}>
                  <LedTo url={set.url} />
                </Definition>
              </>
            ) : (
              <Definition term="Opens">only when you open it</Definition>
            )}
            <Definition term="Countdown">
              <Countdown state={state} />
            </Definition>
          </Definitions>
          {set && (
            <p className="after-5">
              <ButtonLink href={`${deskPaths.opening}/undo`}>
                {set.isOpen ? 'Close the page again …' : 'Take it back …'}
              </ButtonLink>
            </p>
          )}
        </Section>
        <OpeningForm {...page} set={set} />
      </div>
    </div>
  )
}

function Countdown({ state: { countdown, set } }: { readonly state: OpeningState }) {
  if (set?.isOpen) return <>none, since the page is open</>
  if (!countdown)
    return (
      <>
        none; to show one, set <code>opensAt</code> in product.config.ts
      </>
    )
  const { day, year, clock } = localTime(countdown.at, countdown.zone)
  return (
    <>
      until {day} {year}, {clock} {countdown.zone}
      {!countdown.isAsSet && (
        <p className="note" data-tone="warn">
          This is not the time of the opening. To change it, set <code>opensAt</code> in
          product.config.ts.
        </p>
      )}
    </>
  )
}
