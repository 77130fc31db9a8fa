import { deskPaths } from '../../contract/pages.ts'
import type { Moment, PersonPage } from '../../contract/people.ts'
import { Back } from '../parts/back.tsx'
import { Button } from '../parts/button.tsx'
import { Definition, Definitions } from '../parts/definitions.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Done } from '../parts/light.tsx'
import { Section } from '../parts/section.tsx'
import { sourceless } from '../parts/sourceless.ts'
import { StandingMark } from '../parts/standing-mark.tsx'
import { Time } from '../parts/time.tsx'
import { PostForm } from '../post-form.tsx'
import { Address } from './address.tsx'

/** One person: how they stand, what happened, and what can be done. */
export function Person(page: PersonPage) {
  const { email, standing, summary, moments, done } = page
  return (
    <div className="person">
      <Back to={deskPaths.people}>People</Back>
      <header className="person-head row wide">
        <h1 className="heading">
          <Address email={email} />
        </h1>
        <StandingMark standing={standing} />
        <p className="quiet">{summary}</p>
      </header>
      <Done note={done} />
      <div className="columns over after-5">
        <div>
          <Facts {...page} />
          <Actions {...page} />
        </div>
        <Section title="What happened" className="person-history">
          <Timeline moments={moments} />
        </Section>
      </div>
    </div>
  )
}

const sourceTerms: Readonly<Record<string, string>> = {
  source: 'Source',
  medium: 'Medium',
  campaign: 'Campaign',
}

function Facts(page: PersonPage) {
  const { subscribedAt, confirmedAt, source, known, signs, isListed } = page
  return (
    <Section title="What is known">
      <Definitions>
        {subscribedAt !== null && (
          <Definition term="Signed up">
            <Time at={subscribedAt} />
          </Definition>
        )}
        {confirmedAt !== null && (
          <Definition term="Confirmed">
            <Time at={confirmedAt} />
          </Definition>
        )}
        {source.map(([term, name]) => (
          <Definition key={term} term={sourceTerms[term] ?? term}>
            <Foreign text={name} />
          </Definition>
        ))}
        {source.length === 0 && isListed && (
          <Definition term="Source">{sourceless(page)}</Definition>
        )}
        {known.map(([term, text]) => (
          <Definition key={term} term={term}>
            <Foreign text={text} />
          </Definition>
        ))}
        {signs.length > 0 && (
          <Definition term="Signs of a robot">
            <Foreign text={signs.join(', ')} />
          </Definition>
        )}
      </Definitions>
    </Section>
  )
}

function Actions({ id, mayRelease, mayUnsubscribe }: PersonPage) {
  const path = `${deskPaths.people}/${id}`
  return (
    <Section title="What you can do">
      <div className="actions stack after-3">
        {mayRelease && (
          <PostForm action={`${path}/release`}>
            <Button kind="main">Release</Button>
            <p className="note">They may be mailed, and keep the time of their sign-up.</p>
          </PostForm>
        )}
        {mayUnsubscribe && (
          <PostForm action={`${path}/unsubscribe`}>
            <Button>Unsubscribe</Button>
            <p className="note">No letter reaches them, unless they sign up again.</p>
          </PostForm>
        )}
        <div>
          <a className="button" data-kind="danger" href={`${path}/forget`}>
            Forget …
          </a>
          <p className="note">Erases them for good. You are asked once more.</p>
        </div>
      </div>
    </Section>
  )
}

/** What happened, newest first, along a line. */
function Timeline({ moments }: { readonly moments: readonly Moment[] }) {
  return (
    <ol className="timeline after-4">
      {moments.map(({ at, mark, title, lines, quote }) => (
        <li key={`${at} ${title}`} data-standing={mark}>
          <span className="dot" />
          <div className="spread">
            <p className="strong">{title}</p>
            <p className="whole quiet">
              <Time at={at} />
            </p>
          </div>
          {lines.map((line) => (
            <p key={line} className="note">
              <bdi>{line}</bdi>
            </p>
          ))}
          {quote !== null && (
            <blockquote>
              <bdi>{quote}</bdi>
            </blockquote>
          )}
        </li>
      ))}
    </ol>
  )
}
