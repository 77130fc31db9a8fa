import { Fragment } from 'react'
import { counted } from '../../../shared/counted.ts'
import type { LetterLook } from '../../contract/letters.ts'
import { deskPaths } from '../../contract/pages.ts'
import { Section } from '../parts/section.tsx'
import { inKilobytes } from './letter-words.ts'

/** Gmail cuts a letter's HTML at this length, in bytes. */
const GMAIL_CUTS_AT = 102_000

const frames = [
  { key: 'desktop-light', label: 'Desktop', scheme: 'light', on: 'a desktop, light' },
  { key: 'desktop-dark', label: 'Desktop, dark', scheme: 'dark', on: 'a desktop, dark' },
  { key: 'phone-light', label: 'Phone', scheme: 'light', on: 'a phone, light' },
  { key: 'phone-dark', label: 'Phone, dark', scheme: 'dark', on: 'a phone, dark' },
] as const

interface ViewProps {
  readonly name: string
  readonly version: string
  readonly look: LetterLook
}

/**
 * The message that will be sent: as mail programs show it, as text, and its source. Needs no
 * script.
 */
export function LetterView({ name, version, look }: ViewProps) {
  const path = `${deskPaths.letters}/${name}`
  return (
    <Section
      title="The message"
      aside={
        <a href={`${path}/letter.eml`} download>
          download .eml
        </a>
      }
    >
      <fieldset className="views after-1">
        <legend className="visually-hidden">How it is shown</legend>
        {frames.map(({ key, label, scheme, on }, i) => (
          <Fragment key={key}>
            <Tab value={key} label={label} isFirst={i === 0} />
            <div className="letter-frame" data-view={key}>
              <iframe
                title={`The letter on ${on}`}
                src={`${path}/html?scheme=${scheme}&v=${version}`}
                sandbox=""
                loading="lazy"
                referrerPolicy="no-referrer"
              />
            </div>
          </Fragment>
        ))}
        <Tab value="text" label="Text" />
        {/* It scrolls, so the keyboard has to reach it. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <pre className="letter-text" data-view="text" tabIndex={0} dir="auto">
          {look.text}
        </pre>
        <Tab value="headers" label="Headers" />
        <dl className="letter-text" data-view="headers">
          {look.headers.map(({ name, value }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may be there twice
            <div key={i}>
              <dt className="quiet">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </fieldset>
      <p className="note after-4">
        {inKilobytes(look.size)} in all, {inKilobytes(look.htmlSize)} of it HTML
        {look.htmlSize > GMAIL_CUTS_AT && ': Gmail cuts what is longer than 102 kB'}.{' '}
        {look.pictures > 0 &&
          `${counted(look.pictures, 'picture')} of the web ${look.pictures === 1 ? 'is' : 'are'} not loaded here. `}
        Each message that is sent has the same bytes, with its own recipient, unsubscribe link, time
        and message ID.
      </p>
    </Section>
  )
}

interface TabProps {
  readonly value: string
  readonly label: string
  readonly isFirst?: boolean
}

/** Shows its view. */
function Tab({ value, label, isFirst }: TabProps) {
  return (
    <label>
      <input
        type="radio"
        name="view"
        className="visually-hidden"
        value={value}
        defaultChecked={isFirst}
      />
      {label}
    </label>
  )
}
