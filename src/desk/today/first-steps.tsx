import { Section } from '../parts/section.tsx'

/** Before the first visitor: what to do next. */
export function FirstSteps() {
  return (
    <Section title="Before the first visitor" className="first-steps">
      <ol>
        <li>
          <h3>Post a link that says where it stands</h3>
          <p>
            It prints one for each place, so that this page tells you what they bring:{' '}
            <code>npx opening-bell links</code>
          </p>
        </li>
        <li>
          <h3>Have a copy made every day</h3>
          <p>
            A list is worth what it cost to gather: <code>npx opening-bell backup</code>
          </p>
        </li>
        <li>
          <h3>Leave this page open</h3>
          <p>The first sign-up shows here within a second.</p>
        </li>
      </ol>
    </Section>
  )
}
