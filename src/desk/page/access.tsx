import { say } from '../../shared/say.ts'
import type { AccessPage, DeskAccessRow } from '../contract/pages.ts'
import { Around } from './parts/around.tsx'
import { Button } from './parts/button.tsx'
import { Notice } from './parts/light.tsx'
import { Section } from './parts/section.tsx'
import { Time } from './parts/time.tsx'
import { useShell } from './parts/view.ts'
import { PostForm } from './post-form.tsx'

/** The open sessions. */
export function Access({ sessions, isEnded }: AccessPage) {
  const { tool } = useShell()
  return (
    <div>
      <h1 className="visually-hidden">{say('Access')}</h1>
      {isEnded && <Notice tone="good" title={say('It opens the desk no more.')} />}
      <Section title={say('Sessions')} aside={say('each ends a week after its last use')}>
        <ul>
          {sessions.map((session) => (
            <AccessRow key={session.id} {...session} />
          ))}
        </ul>
        <div className="pad row quiet after-2">
          <PostForm action="/desk/access/end" values={{ id: 'all' }}>
            <Button kind="danger">{say('End all, this one as well')}</Button>
          </PostForm>
          <p>
            <Around text={say('To open the desk on another device, run {command}')}>
              <code>{`${tool} desk`}</code>
            </Around>
          </p>
        </div>
      </Section>
    </div>
  )
}

function AccessRow({ id, name, begunAt, usedAt, isThis }: DeskAccessRow) {
  return (
    <li className="access-row ruled">
      <p>
        {name}
        {isThis && <span className="access-this"> {say('this one')}</span>}
      </p>
      <p className="quiet">
        {say('opened by a link')} <Time at={begunAt} />
        {say(', last used')} <Time at={usedAt} />
      </p>
      <PostForm action="/desk/access/end" values={{ id }}>
        <Button aria-label={`${say('End')} ${name}`}>{say('End')}</Button>
      </PostForm>
    </li>
  )
}
