import { counted, grouped } from '../../shared/counted.ts'
import {
  isRunning,
  type LetterCheck,
  type LetterPage,
  type LetterStage,
} from '../../shared/desk-letters.ts'
import { deskPaths } from '../../shared/desk-pages.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Light, Lights, type Tone } from '../parts/light.tsx'
import { Section } from '../parts/section.tsx'
import { PostForm } from '../post-form.tsx'
import { Ago } from './ago.tsx'
import { advice, people, stageHints, stageTitles } from './letter-words.ts'
import { SendingFields, SendingHidden } from './sending-fields.tsx'

const pathOf = (name: string) => `${deskPaths.letters}/${name}`

/** What is done before it is sent, and the sending, from top to bottom. */
export function Steps(page: LetterPage) {
  return (
    <div className="steps">
      <Check {...page} />
      <Test {...page} />
      <Send {...page} />
    </div>
  )
}

const tones: Readonly<Record<LetterCheck['findings'][number]['verdict'], Tone>> = {
  fine: 'good',
  note: 'calm',
  unknown: 'warn',
  problem: 'bad',
  fatal: 'bad',
}

function Check(page: LetterPage) {
  const { name, mistakes, missing, settingsAt, check, settings, earlier, progress } = page
  const isNext = !check && progress.state === 'unsent'
  return (
    <Section
      title="Check"
      aside={
        check && (
          <>
            looked <Ago at={check.at} />
          </>
        )
      }
    >
      <Lights>
        {mistakes.map((mistake) => (
          <Light key={mistake} tone="bad" title={mistake}>
            Edit the letter.
          </Light>
        ))}
        {missing.map((setting) => (
          <Light key={setting} tone="bad" title={setting}>
            Set it in {settingsAt}.
          </Light>
        ))}
        {check?.findings.map(({ what, verdict, detail }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two findings may have the same words
          <Light key={i} tone={tones[verdict]} title={what}>
            <p>{detail}</p>
            {advice(what, verdict) && <p>{advice(what, verdict)}</p>}
          </Light>
        ))}
      </Lights>
      {check && <Who check={check} name={name} />}
      {mistakes.length === 0 && (
        <PostForm className="step stack" action={`${pathOf(name)}/check`}>
          {!check && (
            <p className="note">
              Looks at the mail server, the DNS records, the unsubscribe link, the letter’s links
              and pictures, and counts who would get it. Sends nothing.
            </p>
          )}
          <SendingFields settings={settings} earlier={earlier} />
          <p className="row">
            <Button kind={isNext ? 'main' : 'quiet'}>{check ? 'Check again' : 'Check'}</Button>
          </p>
        </PostForm>
      )}
    </Section>
  )
}

function Who({ check, name }: { readonly check: LetterCheck; readonly name: string }) {
  const count = check.people.newcomers ?? check.people.everyone ?? 0
  const stage = check.people.newcomers === undefined ? 'everyone' : 'newcomers'
  const query = new URLSearchParams([
    ['stage', stage],
    ...check.settings.alsoWhoGot.map((one) => ['alsoWhoGot', one]),
  ])
  return (
    <div className="who">
      <p>
        <strong>{people(count)}</strong> would get it.{' '}
        {check.leftOut.length > 0 &&
          `Left out: ${check.leftOut.map((one) => `${grouped(one.count)} ${one.why}`).join(' · ')}.`}
      </p>
      {count > 0 && (
        <details className="note">
          <summary>
            {check.sample.length > 0 && count > check.sample.length
              ? `The first ${check.sample.length}`
              : 'Who'}
          </summary>
          <ul className="sample">
            {check.sample.map((email) => (
              <li key={email}>{email}</li>
            ))}
          </ul>
          <p>
            <a href={`${pathOf(name)}/recipients.txt?${query}`} download>
              All of them as a file
            </a>
          </p>
        </details>
      )}
    </div>
  )
}

function Test({ name, mistakes, missing, test, settings, check, mayForce }: LetterPage) {
  if (mistakes.length > 0 || missing.length > 0) return null
  return (
    <Section title="Test to yourself">
      <PostForm className="step stack" action={`${pathOf(name)}/test`}>
        <SendingHidden settings={settings} />
        <div className="line row">
          <Field
            name="to"
            type="email"
            label="Address"
            required
            autoComplete="email"
            defaultValue={test?.to}
            placeholder="you@example.com"
          />
          <Button>Send a test</Button>
        </div>
        <Force isShown={mayForce || problemsOf(check) > 0} count={problemsOf(check)} id="test" />
      </PostForm>
      {test && (
        <div className="said note">
          <Lights>
            <Light
              tone={test.isSent ? 'good' : 'bad'}
              title={test.isSent ? (test.lines.at(-1) ?? '') : 'No test was sent'}
            >
              {!test.isSent && <pre>{test.lines.join('\n')}</pre>}
            </Light>
          </Lights>
        </div>
      )}
    </Section>
  )
}

const problemsOf = (check: LetterCheck | undefined) =>
  check?.findings.filter(({ verdict }) => verdict === 'problem').length ?? 0

/** Which runs may be begun, with the number of people of each. */
function stagesOf({ progress, check }: LetterPage): [LetterStage, number][] {
  const { tally, state, eligible } = progress
  if (state === 'unsent' || eligible === 0)
    return (['one-per-cent', 'everyone'] as const).flatMap((stage) => {
      const count = check?.people[stage] ?? 0
      const isAll = stage === 'one-per-cent' && count === check?.people.everyone
      return count > 0 && !isAll ? [[stage, count] as [LetterStage, number]] : []
    })
  const again: [LetterStage, number][] = [
    ['failed', tally.failed],
    ['uncertain', tally.uncertain],
  ]
  const counts: [LetterStage, number][] = [
    ['everyone', check?.people.everyone ?? tally.queued],
    [
      'newcomers',
      (check?.people.newcomers ?? 0) > tally.queued ? (check?.people.newcomers ?? 0) : 0,
    ],
  ]
  return [...(progress.waves ? [] : counts), ...again].filter(([, count]) => count > 0)
}

function Send(page: LetterPage) {
  const { mistakes, missing, progress, check, changedAt } = page
  if (isRunning(progress.state) || changedAt === undefined) return null
  const isFatal = check?.findings.some(({ verdict }) => verdict === 'fatal') ?? false
  const { newcomers = 0 } = progress
  const stages = stagesOf(page)
  if (mistakes.length > 0 || missing.length > 0 || isFatal)
    return (
      <Section title="Send">
        <p className="note">Nothing can be sent until what is marked above is right.</p>
      </Section>
    )
  return (
    <Section title="Send">
      {stages.map(([stage, count]) => (
        <SendForm key={stage} {...page} stage={stage} count={count} />
      ))}
      {stages.length === 0 && <p className="note">{nobodyInWords(page)}</p>}
      {newcomers > 0 && !check && !progress.waves && (
        <p className="note">
          {counted(newcomers, 'subscriber')} since it began: check, and they can be told as well.
        </p>
      )}
    </Section>
  )
}

/** Why nothing can be sent. */
function nobodyInWords({ progress, check }: LetterPage): string {
  if (progress.waves) return 'Its waves are sent from the terminal.'
  if (progress.state !== 'unsent') return 'Nobody is left.'
  return check ? 'Nobody would get it.' : 'Check first: then the number of people stands here.'
}

function SendForm(page: LetterPage & { readonly stage: LetterStage; readonly count: number }) {
  const { name, stage, count, nextRun, version, settings, check, mayForce } = page
  const problems = problemsOf(check)
  const isGoingOn = stage === 'everyone' && page.progress.eligible > 0
  // What is best done first has the weight.
  const isMain = stage === 'one-per-cent' || (stage === 'everyone' && isGoingOn)
  const id = `people-${stage}`
  return (
    <PostForm className="step stack send" action={`${pathOf(name)}/send`}>
      <h3>
        {isGoingOn ? 'Go on with the queue' : stageTitles[stage]} <span>{people(count)}</span>
      </h3>
      <p className="note">{stageHints[stage]}</p>
      <SendingHidden settings={settings} />
      <input type="hidden" name="stage" value={stage} />
      <input type="hidden" name="run" value={nextRun} />
      <input type="hidden" name="version" value={version} />
      <Force isShown={mayForce || problems > 0} count={problems} id={stage} />
      <div className="line row">
        <div className="field">
          <label htmlFor={id}>
            Type <strong>{grouped(count)}</strong> to send it
          </label>
          <input
            id={id}
            name="people"
            inputMode="numeric"
            autoComplete="off"
            required
            maxLength={14}
          />
        </div>
        <Button kind={isMain ? 'main' : 'quiet'}>Send to {people(count)}</Button>
      </div>
    </PostForm>
  )
}

function Force(props: { readonly isShown: boolean; readonly count: number; readonly id: string }) {
  if (!props.isShown) return null
  return (
    <label className="letter-check check" htmlFor={`force-${props.id}`}>
      <input type="checkbox" id={`force-${props.id}`} name="force" />
      In spite of {props.count > 0 ? counted(props.count, 'problem') : 'problems'}
    </label>
  )
}
