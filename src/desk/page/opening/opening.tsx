import { useEffect, useState } from 'react'
import { capitalized } from '../../../shared/capitalized.ts'
import { say } from '../../../shared/say.ts'
import type { OpeningPage, OpeningState } from '../../contract/opening.ts'
import { deskPaths } from '../../contract/pages.ts'
import { listen } from '../listen.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Sentences } from '../parts/definitions.tsx'
import { Section } from '../parts/section.tsx'
import { useShell } from '../parts/view.ts'
import { OpeningForm } from './opening-form.tsx'

/** Which page visitors see, when that changes, and the form that sets it. */
export function Opening(page: OpeningPage) {
  const [{ words, isOpen, beside }, setState] = useState(page.state)
  const { events } = useShell()
  useEffect(() => listen<OpeningState>(events, 'opening', setState), [events])
  return (
    <div>
      <p className="note after-6">{say('The page is')}</p>
      <h1 className="large" data-open={isOpen}>
        {isOpen ? say('Open') : say('Coming Soon')}
      </h1>
      <div className="columns over after-6">
        <Section title={say('What is set')}>
          <Sentences of={[capitalized(words), ...(beside ? [beside] : [])]} />
          {isOpen !== undefined && (
            <p className="after-5">
              <ButtonLink href={`${deskPaths.opening}/undo`}>
                {isOpen ? say('Close the page again …') : say('Take it back …')}
              </ButtonLink>
            </p>
          )}
        </Section>
        <OpeningForm {...page} isOpen={isOpen} />
      </div>
    </div>
  )
}
