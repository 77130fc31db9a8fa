import { Section } from '../parts/section.tsx'
import { useShell } from '../view.ts'

/** Before the first visitor: what to do next. */
export function FirstSteps() {
  const { tool } = useShell()
  return (
    <Section title="Before the first visitor" className="first-steps ruled">
      <ol>
        <li>
          <h3>Post a link that says where it stands</h3>
          <p className="quiet after-1">
            This prints one for each place, so that you see here what each of them brings.
          </p>
          <code className="after-3">{tool} links</code>
        </li>
        <li>
          <h3>Have a copy made every day</h3>
          <p className="quiet after-1">
            A line for the machine's timer. The copy is checked, and can be restored anywhere.
          </p>
          <code className="after-3">{tool} backup --keep 7,4,12</code>
        </li>
        <li>
          <h3>Leave this page open</h3>
          <p className="quiet after-1">
            The first sign-up shows here within a second, whoever brought it. On a phone: open the
            link of this command there.
          </p>
          <code className="after-3">{tool} desk</code>
        </li>
      </ol>
    </Section>
  )
}
