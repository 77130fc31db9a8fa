import { say } from '../../../shared/say.ts'
import type { OpeningPage } from '../../contract/opening.ts'
import { deskPaths } from '../../contract/pages.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Section } from '../parts/section.tsx'
import { useShell } from '../parts/view.ts'
import { PostForm } from '../post-form.tsx'

/** Asks where the button leads, and when the page opens; the next page asks for confirmation. */
export function OpeningForm(page: OpeningPage & { readonly isOpen: boolean | undefined }) {
  const { isOpen, fields, mistake } = page
  const isSet = isOpen !== undefined
  return (
    <Section
      title={
        isOpen
          ? say('Change where the button leads')
          : isSet
            ? say('Change the opening')
            : say('Open the page')
      }
    >
      <PostForm action={`${deskPaths.opening}/look`} className="form" noValidate>
        <Field
          name="url"
          type="url"
          inputMode="url"
          label={say('Where the button leads')}
          defaultValue={fields.url}
          placeholder="https://app.example.com"
          autoComplete="off"
          spellCheck={false}
          error={errorOf(mistake, 'url')}
          required
        />
        {!isOpen && <When {...page} />}
        {isOpen && mistake?.field === 'at' && (
          <p className="note" data-tone="bad">
            {mistake.text}
          </p>
        )}
        <p className="row">
          <Button kind="main">{say('Look at what happens')}</Button>
          <span className="note">{say('Nothing changes yet.')}</span>
        </p>
      </PostForm>
    </Section>
  )
}

const errorOf = (mistake: OpeningPage['mistake'], field: string) =>
  mistake?.field === field ? mistake.text : undefined

function When({ fields, mistake }: OpeningPage) {
  const { zone } = useShell()
  return (
    <>
      <fieldset className="row wide">
        <legend className="note">{say('When')}</legend>
        <label className="check">
          <input type="radio" name="when" value="now" defaultChecked={fields.when === 'now'} />
          {say('Now')}
        </label>
        <label className="check">
          <input type="radio" name="when" value="at" defaultChecked={fields.when === 'at'} />
          {say('At a time')}
        </label>
      </fieldset>
      <div className="opening-at">
        <Field
          name="at"
          // A time that comes twice in a night is typed with its offset.
          type={mistake?.isSpelt ? 'text' : 'datetime-local'}
          label={say('Time ({zone})', { zone })}
          defaultValue={fields.at}
          error={errorOf(mistake, 'at')}
          placeholder="2027-01-12T09:00"
        />
      </div>
    </>
  )
}
