import { type Sentence, say } from '../../../shared/say.ts'
import { inLanguage, type LetterFormPage } from '../../contract/letters.ts'
import { deskPaths } from '../../contract/pages.ts'
import { Button, ButtonLink } from '../parts/button.tsx'
import { Definition, Definitions } from '../parts/definitions.tsx'
import { Field } from '../parts/field.tsx'
import { NotDone } from '../parts/light.tsx'
import { Section } from '../parts/section.tsx'
import { useShell } from '../parts/view.ts'
import { PostForm } from '../post-form.tsx'
import { Written } from './letter-view.tsx'

/** A letter that is being written: fields and text, or the whole file where fields would not do. */
export function LetterForm(page: LetterFormPage) {
  const { name, translation, error } = page
  const path = name ? `${deskPaths.letters}/${name}` : deskPaths.letters
  const values = {
    version: page.version,
    ...(name && { was: name }),
    ...(translation && { language: translation.code }),
  }
  return (
    <>
      <h1 className="letter-title title after-6">{titleOf(page)}</h1>
      <NotDone title={say('It was not saved')} error={error} />
      <div className={translation ? 'columns' : 'letter-columns columns'}>
        <PostForm action={deskPaths.letters} className="form measure" values={values}>
          {!name && (
            <Field
              name="name"
              label={say('Name')}
              defaultValue={page.wantedName}
              required
              maxLength={60}
              pattern="[a-z0-9]([a-z0-9\-]{0,58}[a-z0-9])?"
              autoComplete="off"
              spellCheck={false}
              placeholder="launch"
              hint={say(
                'Names the file and the announcement: a–z, 0–9 and hyphens. Subscribers never see it.',
              )}
            />
          )}
          {page.source === undefined ? <Fields {...page} /> : <WholeFile source={page.source} />}
          <p className="row">
            <Button kind="main">{say('Save')}</Button>
            <ButtonLink href={path + inLanguage(translation?.code)}>{say('Cancel')}</ButtonLink>
          </p>
        </PostForm>
        <div>
          {translation && (
            <Section title={say('In {label}', { label: translation.first.label })}>
              <Written source={translation.first.source} />
            </Section>
          )}
          <HowTo />
        </div>
      </div>
    </>
  )
}

function titleOf({ name = '', translation }: LetterFormPage): string {
  if (translation)
    return translation.isNew
      ? say('{name} in {label}', { name, label: translation.label })
      : say('Edit {name} in {label}', { name, label: translation.label })
  return name ? say('Edit {name}', { name }) : say('A new letter')
}

function Fields({ fields, mailFrom }: LetterFormPage) {
  const { product } = useShell()
  return (
    <>
      <Field
        name="subject"
        label={say('Subject')}
        defaultValue={fields?.subject}
        required
        maxLength={200}
      />
      <Field
        name="preview"
        label={say('Preview')}
        defaultValue={fields?.preview}
        hint={say('One sentence that an inbox shows beside the subject.')}
      />
      <div className="pairs">
        <Field
          name="from"
          label={say('From')}
          defaultValue={fields?.from}
          placeholder={mailFrom || `${product.name} <hello@example.com>`}
          hint={
            mailFrom
              ? say('If this is empty, the sender is MAIL_FROM.')
              : say('Needed, since MAIL_FROM is not set.')
          }
        />
        <Field
          name="reply-to"
          label={say('Reply to')}
          defaultValue={fields?.['reply-to']}
          placeholder="team@example.com"
          hint={say('If this is empty, replies go to the sender.')}
        />
      </div>
      <Field
        name="text"
        label={say('Text')}
        hint={say('Markdown. Line breaks are kept, as in a signature.')}
        control={(own) => (
          <textarea {...own} rows={20} required defaultValue={fields?.text} dir="auto" />
        )}
      />
    </>
  )
}

function WholeFile({ source }: { readonly source: string }) {
  return (
    <Field
      name="source"
      label={say('The whole file')}
      hint={say('It is shown whole, since fields would lose some of its settings.')}
      control={(own) => (
        <textarea {...own} rows={26} defaultValue={source} spellCheck={false} dir="auto" />
      )}
    />
  )
}

const marks: readonly (readonly [mark: string, what: Sentence])[] = [
  ['# Come in', 'a heading'],
  ['**bold**', 'bold words'],
  ['[words](https://…)', 'a link, with its whole address'],
  ['**[Come in](https://…)**', 'a button, on a line of its own'],
  ['- item', 'a list'],
  ['![words](https://…)', 'a picture on a server of yours'],
  ['{{unsubscribe}}', 'the unsubscribe link; if you leave this out, it stands at the end'],
  ['{{first name|there}}', 'the first name, if an import had one, else “there”'],
  ['{{invitation}}', 'a code that admits its holder, once, for 30 days'],
]

function HowTo() {
  return (
    <Section title={say('How it is written')}>
      <Definitions>
        {marks.map(([mark, what]) => (
          <Definition key={mark} term={<code>{mark}</code>}>
            {say(what)}
          </Definition>
        ))}
      </Definitions>
    </Section>
  )
}
