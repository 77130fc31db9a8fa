import type { AccessPage } from '../shared/desk-pages.ts'
import { AddPasskey } from './add-passkey.tsx'
import { Time } from './parts/time.tsx'
import { PostForm } from './post-form.tsx'

const notices = {
  added: 'This device has a passkey now. It comes back to the desk without a link.',
  'not-added': 'No passkey was added. Try again.',
  removed: 'The passkey is gone, and so are the sessions that it opened.',
  renamed: 'It has a new name.',
  ended: 'That session has ended.',
} as const

/** Who is in, and which devices may come back. */
export function Access({ sessions, passkeys, canAdd, notice }: AccessPage) {
  return (
    <div>
      <h1 className="visually-hidden">Access</h1>
      {notice && (
        <p className="notice" role="status" data-tone={notice === 'not-added' ? 'bad' : 'good'}>
          {notices[notice]}
        </p>
      )}
      <section className="section" aria-labelledby="sessions">
        <header className="spread note">
          <h2 id="sessions">Sessions</h2>
          <p>each ends twelve hours after its last use</p>
        </header>
        <ul>
          {sessions.map((session) => (
            <Session key={session.id} {...session} />
          ))}
        </ul>
        <div className="access-foot row quiet">
          <PostForm action="/desk/access/end">
            <input type="hidden" name="session" value="all" />
            <button type="submit" className="button" data-kind="danger">
              End all, this one as well
            </button>
          </PostForm>
          {passkeys.length > 0 && (
            <p>Devices with a passkey come back: remove those you do not know.</p>
          )}
          <p>
            To open the desk on another device, run <code>bin/opening-bell desk</code>
          </p>
        </div>
      </section>
      <section className="section" aria-labelledby="passkeys">
        <header className="spread note">
          <h2 id="passkeys">Passkeys</h2>
          <p>a device with one comes back to /desk by finger, face or PIN</p>
        </header>
        <ul>
          {passkeys.map((passkey) => (
            <Passkey key={passkey.id} {...passkey} />
          ))}
        </ul>
        <div className="access-foot row quiet">
          {canAdd ? (
            <AddPasskey />
          ) : (
            <p>Passkeys need https: set PUBLIC_URL, or open the desk on this machine.</p>
          )}
        </div>
      </section>
    </div>
  )
}

function Session({ id, device, by, begunAt, usedAt, isThis }: AccessPage['sessions'][number]) {
  return (
    <li className="access-row ruled">
      <p className="access-name">
        {device}
        {isThis && <span className="access-this"> this one</span>}
      </p>
      <p className="quiet">
        by {by}, begun <Time at={begunAt} />, last used <Time at={usedAt} />
      </p>
      <PostForm action="/desk/access/end">
        <input type="hidden" name="session" value={id} />
        <button type="submit" className="button" aria-label={`End the session of ${device}`}>
          End
        </button>
      </PostForm>
    </li>
  )
}

function Passkey({ id, name, addedAt, usedAt, isThis }: AccessPage['passkeys'][number]) {
  return (
    <li className="access-row ruled">
      <PostForm action="/desk/access/passkeys/rename" className="access-name">
        <input type="hidden" name="passkey" value={id} />
        <input name="name" defaultValue={name} maxLength={40} required aria-label="Name" />
        <button type="submit" className="button">
          Rename
        </button>
      </PostForm>
      <p className="quiet">
        {isThis && 'of this device, '}
        added <Time at={addedAt} />,{' '}
        {usedAt === null ? (
          'not used yet'
        ) : (
          <>
            last used <Time at={usedAt} />
          </>
        )}
      </p>
      <PostForm action="/desk/access/passkeys/remove">
        <input type="hidden" name="passkey" value={id} />
        <button type="submit" className="button" aria-label={`Remove ${name}`}>
          Remove
        </button>
      </PostForm>
    </li>
  )
}
