import { Fragment, useEffect, useRef } from 'react'
import { counted } from '../../../shared/counted.ts'
import { say } from '../../../shared/say.ts'
import { inLanguage, type LetterLook } from '../../contract/letters.ts'
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
  /** The language, where it is not the first one. */
  readonly code?: string | undefined
  readonly look: LetterLook
}

/**
 * The message that will be sent: as mail programs show it, and as text. Needs no script.
 */
export function LetterView({ name, version, code, look }: ViewProps) {
  const path = `${deskPaths.letters}/${name}`
  const views = usePhoneFirst()
  return (
    <Section
      title={say('The message')}
      aside={<a href={`${path}/letter.eml${inLanguage(code)}`}>{say('download .eml')}</a>}
    >
      <fieldset ref={views} className="views after-1">
        <legend className="visually-hidden">{say('How it is shown')}</legend>
        {frames.map(({ key, label, scheme, on }, i) => (
          <Fragment key={key}>
            <Tab value={key} label={say(label)} isFirst={i === 0} />
            <div className="letter-frame" data-view={key}>
              <iframe
                title={say('The letter on {on}', { on: say(on) })}
                src={`${path}/html?scheme=${scheme}&v=${version}${code ? `&language=${code}` : ''}`}
                sandbox=""
                loading="lazy"
                referrerPolicy="no-referrer"
              />
            </div>
          </Fragment>
        ))}
        <Tab value="text" label={say('Text')} />
        <Written source={look.text} />
      </fieldset>
      <p className="note after-4">
        <Size {...look} />
        {say(
          'Only the recipient, the unsubscribe link, a first name, an invitation, the time and the message ID differ from reader to reader.',
        )}
      </p>
    </Section>
  )
}

/** A phone has no space for a desktop's window. Not by React, which would choose again at each change. */
function usePhoneFirst() {
  const views = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const phone = views.current?.querySelector<HTMLInputElement>('[value="phone-light"]')
    if (phone && matchMedia('(max-width: 46rem)').matches) phone.checked = true
  }, [])
  return views
}

const Size = ({ size, htmlSize, pictures }: LetterLook) => (
  <>
    {say('{size} in all, {html} of it HTML', {
      size: inKilobytes(size),
      html: inKilobytes(htmlSize),
    })}
    {htmlSize > GMAIL_CUTS_AT && say(': Gmail cuts what is longer than 102 kB')}.{' '}
    {pictures > 0 &&
      say('{pictures} of the web {are} not loaded here. ', {
        pictures: counted(pictures, 'picture'),
        are: pictures === 1 ? say('is') : say('are'),
      })}
  </>
)

/** A letter as it is written. */
export function Written({ source }: { readonly source: string }) {
  return (
    // It scrolls, so the keyboard has to reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre className="letter-text" tabIndex={0} dir="auto">
      {source}
    </pre>
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
