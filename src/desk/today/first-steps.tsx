import { Section } from '../parts/section.tsx'

/** Before the first visitor: what to do next. */
export function FirstSteps() {
  return (
    <Section title="Before the first visitor" className="first-steps">
      <ol>
        <li>
          <h3>Post a link that says where it stands</h3>
          <p className="quiet">
            This prints one for each place, so that you see here what each of them brings.
          </p>
          <code>bin/opening-bell links</code>
        </li>
        <li>
          <h3>Have a copy made every day</h3>
          <p className="quiet">
            A line for the machine's timer. The copy is checked, and can be restored anywhere.
          </p>
          <code>bin/opening-bell backup --keep 7,4,12</code>
        </li>
        <li>
          <h3>Leave this page open</h3>
          <p className="quiet">
            The first sign-up shows here within a second, whoever brought it. On a phone: open the
            link of this command there.
          </p>
          <code>bin/opening-bell desk</code>
        </li>
      </ol>
    </Section>
  )
}
