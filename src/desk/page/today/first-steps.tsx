import { Section } from '../parts/section.tsx'
import { useShell } from '../view.ts'

/** Before the first visitor: what to do next. */
export function FirstSteps() {
  const { tool } = useShell()
  return (
    <Section title="Before the first visitor" className="first-steps ruled">
      <ol>
        <li>
          <h3>Post a different link in each place</h3>
          <p className="quiet after-1">
            This prints a link for each place where you post, so that you see here how many people
            each place brings.
          </p>
          <code className="after-3">{tool} links</code>
        </li>
        <li>
          <h3>Have the list copied every day</h3>
          <p className="quiet after-1">
            Put this line into the machine's timer (cron), with a folder of yours for FOLDER. Each
            copy is checked, and can be restored anywhere.
          </p>
          <code className="after-3">
            {tool} backup <span className="whole">--keep 7,4,12</span>{' '}
            <span className="whole">--to FOLDER</span>
          </code>
        </li>
        <li>
          <h3>Leave this page open</h3>
          <p className="quiet after-1">
            The first sign-up shows here within a second. On a phone, open the link that this
            command prints.
          </p>
          <code className="after-3">{tool} desk</code>
        </li>
      </ol>
    </Section>
  )
}
