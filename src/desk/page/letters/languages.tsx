import type { ReactNode } from 'react'
import { counted } from '../../../shared/counted.ts'
import { say } from '../../../shared/say.ts'
import { inLanguage, type LetterLanguage, type LetterPage } from '../../contract/letters.ts'
import { deskPaths } from '../../contract/pages.ts'
import { Button, ButtonLink } from '../parts/button.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Section } from '../parts/section.tsx'
import { PostForm } from '../post-form.tsx'

type LanguagesProps = LetterPage & { readonly languages: readonly LetterLanguage[] }

/** The letter in each language of the product, and what can be done with each. */
export function Languages(page: LanguagesProps) {
  const { languages, shown, name } = page
  return (
    <Section title={say('Languages')}>
      <ul className="languages ruled-rows">
        {languages.map((one, i) => (
          <li key={`${one.code} ${one.file}`}>
            <span className="strong">{one.label}</span>
            <Held {...one} isFirst={i === 0} first={languages[0]?.label} />
            <div className="row">
              {one.file && one.code !== (shown ?? languages[0]?.code) && (
                <ButtonLink
                  href={`${deskPaths.letters}/${name}${inLanguage(i > 0 ? one.code : undefined)}`}
                >
                  {say('Show')}
                </ButtonLink>
              )}
              {page.isOpen && <Changes name={name} one={one} isFirst={i === 0} />}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What there is in a language. */
function Held({
  file,
  subject,
  mistakes,
  isFirst,
  first,
}: LetterLanguage & { readonly isFirst: boolean; readonly first: string | undefined }) {
  if (!file)
    return (
      <span className="quiet">
        {say('Its readers get the letter in {first}.', { first: first ?? '' })}
      </span>
    )
  return (
    <span>
      {subject && <Foreign text={subject} />}
      {mistakes.length > 0 && !isFirst ? (
        <span className="note" data-tone="bad">
          {file}: {counted(mistakes.length, 'mistake')}
        </span>
      ) : (
        <span className="tag">{file}</span>
      )}
    </span>
  )
}

function Changes(props: {
  readonly name: string
  readonly one: LetterLanguage
  readonly isFirst: boolean
}) {
  const { name, one, isFirst } = props
  const { code, label, file, isOffered } = one
  const path = `${deskPaths.letters}/${name}`
  if (isFirst) return null
  return (
    <>
      {isOffered && (
        <ButtonLink href={`${path}/edit${inLanguage(code)}`}>
          {file ? say('Edit {label}', { label }) : say('Add {label}', { label })}
        </ButtonLink>
      )}
      {file && (
        <Removal name={name} what={label} values={{ language: code }}>
          {say('This deletes the file {file}.', { file })}
        </Removal>
      )}
    </>
  )
}

interface RemovalProps {
  readonly name: string
  /** What is removed, as the button calls it. */
  readonly what: string
  readonly values?: object
  readonly children: ReactNode
}

/** Removes a letter, or one of its languages, after a second press. */
export function Removal({ name, what, values = {}, children }: RemovalProps) {
  return (
    <details className="remove">
      <summary className="button" data-kind="quiet">
        {say('Remove')}
      </summary>
      <PostForm
        className="stack note pad"
        action={`${deskPaths.letters}/${name}/remove`}
        values={values}
      >
        <p>{children}</p>
        <Button kind="danger">{say('Remove {what}', { what })}</Button>
      </PostForm>
    </details>
  )
}
