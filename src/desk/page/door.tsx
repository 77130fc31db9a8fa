import { type Sentence, say } from '../../shared/say.ts'
import type { DoorPage, DoorState } from '../contract/pages.ts'
import { Around } from './parts/around.tsx'
import { useShell } from './parts/view.ts'

const words: Readonly<Record<DoorState, Sentence>> = {
  open: 'This link opens the desk once, in this browser.',
  'wrong-code': 'That is not the code of this link. The code is the part behind the #.',
  used: 'This link was used already. A link opens the desk once.',
  'too-old': 'This link is no longer valid. A link is valid for 15 minutes at most.',
  ended: 'Your session has ended.',
  'ended-here':
    'Your session has ended. The server could not write that down, perhaps because the disk is full, and tries again. A restart before it succeeds would bring the session back.',
  refused: 'That could not be done here. Go back, load the page again, and try once more.',
}

/**
 * The page before there is a session. Looking at it uses up nothing; only its button uses the link.
 */
export function Door({ state }: DoorPage) {
  const { product, tool } = useShell()
  const isLink = state === 'open' || state === 'wrong-code'
  return (
    <main className="door">
      <img src={`/${product.look.logo}`} alt="" height="40" />
      <h1>{product.name}</h1>
      <p role={state === 'open' ? undefined : 'status'}>{say(words[state])}</p>
      {isLink && (
        // To its own address, which the build does not know, without the code that may stand there.
        <form method="post" action="?" id="door">
          <label>
            {say('Code')}
            <input
              name="code"
              required
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          </label>
          <button type="submit">{say('Open the desk')}</button>
        </form>
      )}
      {!isLink && (
        <p className="quiet">
          <Around text={say('For a new link, run {command}')}>
            <code>{`${tool} desk`}</code>
          </Around>
        </p>
      )}
    </main>
  )
}
