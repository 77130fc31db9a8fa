import { type Sentence, say } from '../../shared/say.ts'
import type { AccessPage, DeskAccessRow } from '../contract/pages.ts'
import { AddPasskey } from './add-passkey.tsx'
import { Around } from './parts/around.tsx'
import { Button } from './parts/button.tsx'
import { Notice } from './parts/light.tsx'
import { Section } from './parts/section.tsx'
import { Time } from './parts/time.tsx'
import { useShell } from './parts/view.ts'
import { PostForm } from './post-form.tsx'

const notices: Readonly<Record<NonNullable<AccessPage['notice']>, Sentence>> = {
  added: 'This device has a passkey now. It opens the desk without a link.',
  'not-added': 'No passkey was added. Try again.',
  ended: 'It opens the desk no more.',
}

/** The open sessions, and the passkeys. */
export function Access({ sessions, passkeys, canAdd, notice }: AccessPage) {
  const { tool } = useShell()
  return (
    <div>
      <h1 className="visually-hidden">{say('Access')}</h1>
      {notice && (
        <Notice tone={notice === 'not-added' ? 'bad' : 'good'} title={say(notices[notice])} />
      )}
      <Section title={say('Sessions')} aside={say('each ends twelve hours after its last use')}>
        <ul>
          {sessions.map((session) => (
            <AccessRow key={session.id} {...session} />
          ))}
        </ul>
        <div className="pad row quiet after-2">
          <PostForm action="/desk/access/end" values={{ id: 'all' }}>
            <Button kind="danger">{say('End all, this one as well')}</Button>
          </PostForm>
          {passkeys.length > 0 && (
            <p>
              {say(
                'A device with a passkey can sign in again. Remove the passkeys that you do not know.',
              )}
            </p>
          )}
          <p>
            <Around text={say('To open the desk on another device, run {command}')}>
              <code>{`${tool} desk`}</code>
            </Around>
          </p>
        </div>
      </Section>
      <Section
        title={say('Passkeys')}
        aside={say('a device with one opens /desk by finger, face or PIN')}
      >
        <ul>
          {passkeys.map((passkey) => (
            <AccessRow key={passkey.id} {...passkey} />
          ))}
        </ul>
        <div className="pad row quiet after-2">
          {canAdd ? (
            <AddPasskey />
          ) : (
            <p>
              {say(
                'Passkeys need https: set PUBLIC_URL to an address that begins with https. On the server’s own machine, a desk at http://localhost has them too.',
              )}
            </p>
          )}
        </div>
      </Section>
    </div>
  )
}

const begun = { link: 'opened by a link', passkey: 'opened by a passkey' } as const

/** A session, or a passkey, whose sessions end with it. */
function AccessRow({ id, name, by, begunAt, usedAt, isThis }: DeskAccessRow) {
  const does = by ? say('End') : say('Remove')
  return (
    <li className="access-row ruled">
      <p>
        {name}
        {isThis && <span className="access-this"> {say('this one')}</span>}
      </p>
      <p className="quiet">
        {say(by ? begun[by] : 'added')} <Time at={begunAt} />
        {usedAt === undefined ? (
          say(', not used yet')
        ) : (
          <>
            {say(', last used')} <Time at={usedAt} />
          </>
        )}
      </p>
      <PostForm action="/desk/access/end" values={{ id }}>
        <Button aria-label={`${does} ${name}`}>{does}</Button>
      </PostForm>
    </li>
  )
}
