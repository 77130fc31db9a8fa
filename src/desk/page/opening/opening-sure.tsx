import { say } from '../../../shared/say.ts'
import type { OpeningSurePage } from '../../contract/opening.ts'
import { deskPaths } from '../../contract/pages.ts'
import { Around } from '../parts/around.tsx'
import { Back } from '../parts/back.tsx'
import { Button, ButtonLink } from '../parts/button.tsx'
import { Definition, Definitions, Sentences } from '../parts/definitions.tsx'
import { Field } from '../parts/field.tsx'
import { NotDone } from '../parts/light.tsx'
import { PostForm } from '../post-form.tsx'
import { LedTo } from './led-to.tsx'

const questions = {
  now: 'Open the page now?',
  at: 'Open the page at this time?',
  lead: 'Change where the button leads?',
  undo: 'Take the opening back?',
  close: 'Close the page again?',
} as const

const acts = {
  now: 'Open the page now',
  at: 'Set this opening',
  lead: 'Change where it leads',
  undo: 'Take it back',
  close: 'Close it',
} as const

/** Asks for confirmation: shows where the button leads, when, and what happens then. */
export function OpeningSure(page: OpeningSurePage) {
  const { what, mark, url, fields, word, sentences, error } = page
  const isUndone = what === 'undo' || what === 'close'
  const action = isUndone ? `${deskPaths.opening}/undo` : deskPaths.opening
  return (
    <div className="measure">
      <Back to={deskPaths.opening}>{say('Opening')}</Back>
      <h1 className="heading">{say(questions[what])}</h1>
      <NotDone error={error} />
      <Definitions className="over after-4">
        <Definition term={say('The button leads to')}>
          <LedTo url={url} />
        </Definition>
      </Definitions>
      <Sentences of={sentences} />
      <PostForm action={action} className="form" values={{ mark, ...fields }}>
        {word && (
          <Field
            name="word"
            label={
              <Around text={say('Type {word}, where the button leads')}>
                <strong>{word}</strong>
              </Around>
            }
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            required
          />
        )}
        <p className="row">
          <Button kind={isUndone ? 'danger' : 'main'}>{say(acts[what])}</Button>
          <ButtonLink href={deskPaths.opening}>{say('Leave it as it is')}</ButtonLink>
        </p>
      </PostForm>
    </div>
  )
}
