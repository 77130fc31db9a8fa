import type { AccessPage } from '../shared/desk-pages.ts'
import { AddPasskey } from './add-passkey.tsx'
import { PostForm } from './post-form.tsx'

const notices = {
  added: 'This device has a passkey now. It can come back without a link.',
  'not-added': 'No passkey was added. Try again.',
  removed: 'The passkey is gone, and so are the sessions that it opened.',
  renamed: 'It has a new name.',
  ended: 'That session has ended.',
} as const

/** Who is in, and which devices may come back. */
export function Access({ sessions, passkeys, canAdd, notice }: AccessPage) {
  return (
    <div className="access">
      <h1>Access</h1>
      {notice && <p role="status">{notices[notice]}</p>}
      <section aria-labelledby="sessions">
        <h2 id="sessions">Sessions</h2>
        <p className="quiet">
          Each ends twelve hours after it was last used. To open one on another device, run{' '}
          <code>npx opening-bell desk</code>.
        </p>
        <ul className="rows">
          {sessions.map(({ id, device, by, begunAt, usedAt, isThis }) => (
            <li key={id}>
              <span className="what">
                {device}
                {isThis && <em> this one</em>}
              </span>
              <span className="quiet">
                by {by}, begun <Time at={begunAt} />, last used <Time at={usedAt} />
              </span>
              <PostForm action="/desk/access/end">
                <input type="hidden" name="session" value={id} />
                <button type="submit" aria-label={`End the session of ${device}`}>
                  End
                </button>
              </PostForm>
            </li>
          ))}
        </ul>
        <PostForm action="/desk/access/end">
          <input type="hidden" name="session" value="all" />
          <button type="submit" className="danger">
            End all, this one as well
          </button>
        </PostForm>
      </section>
      <section aria-labelledby="passkeys">
        <h2 id="passkeys">Passkeys</h2>
        <p className="quiet">
          A device with a passkey comes back to /desk without a link, by finger, face or PIN.
        </p>
        {passkeys.length > 0 && (
          <ul className="rows">
            {passkeys.map(({ id, name, addedAt, usedAt, isThis }) => (
              <li key={id}>
                <PostForm action="/desk/access/passkeys/rename" className="what">
                  <input type="hidden" name="passkey" value={id} />
                  <input
                    name="name"
                    defaultValue={name}
                    maxLength={40}
                    required
                    aria-label="Name"
                  />
                  <button type="submit">Rename</button>
                </PostForm>
                <span className="quiet">
                  {isThis && 'this device, '}added <Time at={addedAt} />
                  {usedAt === null ? (
                    ', not used yet'
                  ) : (
                    <>
                      , last used <Time at={usedAt} />
                    </>
                  )}
                </span>
                <PostForm action="/desk/access/passkeys/remove">
                  <input type="hidden" name="passkey" value={id} />
                  <button type="submit" aria-label={`Remove ${name}`}>
                    Remove
                  </button>
                </PostForm>
              </li>
            ))}
          </ul>
        )}
        {canAdd ? (
          <AddPasskey />
        ) : (
          <p>Passkeys need https: set PUBLIC_URL, or open the desk on this machine.</p>
        )}
      </section>
    </div>
  )
}

/** The same words on the server as in the browser, whose time zones may differ. */
function Time({ at }: { at: number }) {
  const text = new Date(at).toISOString()
  return <time dateTime={text}>{`${text.slice(0, 10)} ${text.slice(11, 16)} UTC`}</time>
}
