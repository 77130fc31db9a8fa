import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import { counted } from '../../../shared/counted.ts'
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
  /** The first letter, and the one that is shown beside it. */
  readonly shown: readonly Shown[]
}

/** A letter in one of its languages. */
export interface Shown {
  /** `undefined` for the first one. */
  readonly code?: string | undefined
  /** The language in English, where there are several. */
  readonly label: string
  readonly look?: LetterLook | undefined
  /** As it is written, where it has mistakes. */
  readonly source?: string | undefined
}

/**
 * The message that will be sent: as mail programs show it, as text, and its source. Needs no
 * script.
 */
export function LetterView({ name, version, shown }: ViewProps) {
  const path = `${deskPaths.letters}/${name}`
  const isPair = shown.length > 1
  const views = usePhoneFirst()
  return (
    <Section
      title="The message"
      aside={
        <span className="row wide">
          {shown.map(
            ({ code, label, look }) =>
              look && (
                <a key={label} href={`${path}/letter.eml${inLanguage(code)}`}>
                  download {isPair && `${label} `}.eml
                </a>
              ),
          )}
        </span>
      }
    >
      <fieldset ref={views} className="views after-1">
        <legend className="visually-hidden">How it is shown</legend>
        {frames.map(({ key, label, scheme, on }, i) => (
          <Fragment key={key}>
            <Tab value={key} label={label} isFirst={i === 0} />
            <Beside
              shown={shown}
              view={(_look, { code, label }) => (
                <div className="letter-frame" data-view={key}>
                  <iframe
                    title={`The letter${isPair ? ` in ${label}` : ''} on ${on}`}
                    src={`${path}/html?scheme=${scheme}&v=${version}${code ? `&language=${code}` : ''}`}
                    sandbox=""
                    loading="lazy"
                    referrerPolicy="no-referrer"
                  />
                </div>
              )}
            />
          </Fragment>
        ))}
        <Tab value="text" label="Text" />
        <Beside shown={shown} view={({ text }) => <Written source={text} view="text" />} />
        <Tab value="headers" label="Headers" />
        <Beside shown={shown} view={({ headers }) => <Headers headers={headers} />} />
      </fieldset>
      <p className="note after-4">
        {shown.map(
          ({ label, look }) => look && <Size key={label} look={look} of={isPair && label} />,
        )}
        Only the recipient, the unsubscribe link, a first name, an invitation, the time and the
        message ID differ from reader to reader.
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

const Headers = ({ headers }: Pick<LetterLook, 'headers'>) => (
  <dl className="letter-text" data-view="headers">
    {headers.map(({ name, value }, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a header may be there twice
      <div key={i}>
        <dt className="quiet">{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** @param of the language, where there are several. */
const Size = ({ look, of }: { readonly look: LetterLook; readonly of: string | false }) => (
  <>
    {of && `${of}: `}
    {inKilobytes(look.size)} in all, {inKilobytes(look.htmlSize)} of it HTML
    {look.htmlSize > GMAIL_CUTS_AT && ': Gmail cuts what is longer than 102 kB'}.{' '}
    {look.pictures > 0 &&
      `${counted(look.pictures, 'picture')} of the web ${look.pictures === 1 ? 'is' : 'are'} not loaded here. `}
  </>
)

interface BesideProps {
  readonly shown: readonly Shown[]
  readonly view: (look: LetterLook, shown: Shown) => ReactNode
}

/** A view of the letter, or of two side by side. */
function Beside({ shown, view }: BesideProps) {
  const [first] = shown
  if (shown.length === 1) return first?.look && view(first.look, first)
  return (
    <div className="letter-pair">
      {shown.map((one) => (
        <figure key={one.label}>
          <figcaption className="note">{one.label}</figcaption>
          {one.look ? view(one.look, one) : <Written source={one.source ?? ''} />}
        </figure>
      ))}
    </div>
  )
}

/** A letter as it is written. */
export function Written({ source, view }: { readonly source: string; readonly view?: string }) {
  return (
    // It scrolls, so the keyboard has to reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre className="letter-text" data-view={view} tabIndex={0} dir="auto">
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
