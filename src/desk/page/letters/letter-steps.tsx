import { counted, grouped } from '../../../shared/counted.ts'
import { type LetterStage, letterStages } from '../../../shared/letter-stages.ts'
import { leadOf, type Note, type Report } from '../../../shared/report.ts'
import { say, translated } from '../../../shared/say.ts'
import { isRetry, isRunning, type LetterPage, mostIn } from '../../contract/letters.ts'
import { deskPaths } from '../../contract/pages.ts'
import { Around } from '../parts/around.tsx'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Light, Lights } from '../parts/light.tsx'
import { Section } from '../parts/section.tsx'
import { Ago } from '../parts/time.tsx'
import { PostForm } from '../post-form.tsx'
import { NoteLights } from '../report/note.tsx'
import { Lead, notesOf, Parts } from '../report/report.tsx'
import { SendingFields } from './sending-fields.tsx'

const pathOf = (name: string) => `${deskPaths.letters}/${name}`

/** The steps before sending, and the sending, from top to bottom. */
export const Steps = (page: LetterPage) => (
  <div>
    <Check {...page} />
    <Test {...page} />
    <Send {...page} />
  </div>
)

function Check(page: LetterPage) {
  const { name, mistakes, missing, check, settings, earlier, progress } = page
  const isNext = !check && progress.state === 'unsent'
  return (
    <Section
      id="check"
      title={say('Check')}
      aside={
        check && (
          <>
            {say('checked')} <Ago at={check.at} />
          </>
        )
      }
    >
      <Lights>
        {mistakes.map((mistake) => (
          <Light key={mistake} tone="bad" title={mistake}>
            {page.languages ? say('Edit or remove it.') : say('Edit the letter.')}
          </Light>
        ))}
        {missing.map((setting) => (
          <Light key={setting} tone="bad" title={translated(setting)}>
            {say(
              'Set it in the environment of the server, for the service /etc/opening-bell.env, and restart the server.',
            )}
          </Light>
        ))}
      </Lights>
      {check && <Found report={check.report} />}
      {mistakes.length === 0 && (
        <PostForm className="stack after-2" action={`${pathOf(name)}/check`}>
          {!check && (
            <p className="note">
              {say(
                'It checks the mail server, the DNS records, the unsubscribe link, how the letter’s links are written and whether its pictures are there, and counts its recipients. It sends nothing.',
              )}
            </p>
          )}
          <SendingFields settings={settings} earlier={earlier} />
          <p className="row">
            <Button kind={isNext ? 'main' : 'quiet'}>
              {check ? say('Check again') : say('Check')}
            </Button>
          </p>
        </PostForm>
      )}
    </Section>
  )
}

/** What was found, and how many get it. */
function Found({ report }: { readonly report: Report }) {
  const lead = leadOf(report)
  return (
    <>
      <NoteLights notes={notesOf(report)} />
      {lead && <Lead {...lead} as="p" />}
      <Parts {...report} />
    </>
  )
}

function Test({ name, mistakes, missing, test, settings }: LetterPage) {
  if (mistakes.length > 0 || missing.length > 0) return null
  // A test has problems of its own: DNS records do not hold it up.
  const problems = problemsIn(test?.notes)
  return (
    <Section title={say('Test to yourself')} className="over after-6">
      <PostForm className="stack after-2" action={`${pathOf(name)}/test`} values={settings}>
        <div className="line row">
          <Field
            name="to"
            type="email"
            label={say('Address')}
            required
            autoComplete="email"
            defaultValue={test?.to}
            placeholder="you@example.com"
          />
          <Button>{say('Send a test')}</Button>
        </div>
        <Force isShown={problems > 0} count={problems} id="test" />
      </PostForm>
      {test && (
        <div className="note after-4">
          <Lights>
            <Light
              tone={test.isSent ? 'good' : 'bad'}
              title={test.isSent ? test.text : say('No test was sent')}
            >
              {!test.isSent && test.text}
            </Light>
          </Lights>
          <NoteLights notes={test.notes} />
        </div>
      )}
    </Section>
  )
}

const problemsIn = (notes: readonly Note[] = []) =>
  notes.filter(({ data }) => data?.verdict === 'problem').length

/** A run that may be begun: whom it is for, and how many they are, or at most are. */
interface StageShown {
  readonly stage: LetterStage
  readonly count: number
  readonly isMost?: boolean
}

function stagesOf({ progress, check }: LetterPage): StageShown[] {
  const { tally, state, eligible } = progress
  const counted = (stage: LetterStage) => ({ stage, count: check?.people[stage] ?? 0 })
  const all = counted('everyone')
  if (state === 'unsent' || eligible === 0) {
    const few = counted('one-per-cent')
    return [...(few.count < all.count ? [few] : []), all].filter(({ count }) => count > 0)
  }
  const newcomers = counted('newcomers')
  const known = (stage: LetterStage): StageShown =>
    check ? counted(stage) : { stage, count: mostIn(stage, progress), isMost: true }
  const first = [known('everyone'), ...(newcomers.count > all.count ? [newcomers] : [])]
  const again = (['failed', 'uncertain'] as const).filter((stage) => tally[stage] > 0).map(known)
  return [...first, ...again].filter(({ count }) => count > 0)
}

function Send(page: LetterPage) {
  const { mistakes, missing, progress, check, changedAt } = page
  if (isRunning(progress.state) || changedAt === undefined) return null
  const isFatal = check && notesOf(check.report).some(({ data }) => data?.verdict === 'fatal')
  const stages = stagesOf(page)
  if (mistakes.length > 0 || missing.length > 0 || isFatal)
    return (
      <Section title={say('Send')} className="over after-6">
        <p className="note">{say('Nothing can be sent until the problems above are solved.')}</p>
      </Section>
    )
  return (
    <Section id="send" title={say('Send')} className="over after-6">
      {stages.map((shown) => (
        <SendForm key={shown.stage} {...page} {...shown} />
      ))}
      {stages.length === 0 && <p className="note">{nobodyInWords(page)}</p>}
    </Section>
  )
}

/** Why nothing can be sent. */
function nobodyInWords({ progress, check }: LetterPage): string {
  if (progress.state !== 'unsent')
    return check ? say('Nobody is left to send it to.') : say('Nobody is left in its queue.')
  return check
    ? say('Nobody would get it.')
    : say('Check first, to see how many people would get it.')
}

function SendForm(page: LetterPage & StageShown) {
  const { name, stage, count, isMost, nextRun, version, settings, check, mayForce } = page
  const problems = problemsIn(check && notesOf(check.report))
  const isGoingOn = stage === 'everyone' && page.progress.eligible > 0
  // The step to take first has the main button.
  const isMain =
    !page.progress.goesOn && (stage === 'one-per-cent' || (stage === 'everyone' && isGoingOn))
  const people = counted(count, 'person', 'people')
  const whom = isMost ? say('at most {people}', { people }) : people
  return (
    <PostForm
      className="send stack pad"
      action={`${pathOf(name)}/send`}
      values={{ ...settings, stage, run: nextRun, version, checkedAt: check?.at ?? '' }}
    >
      <div>
        <div className="spread">
          <h3>{titleOf(page)}</h3>
          <span>{whom}</span>
        </div>
        <p className="note">
          {say(letterStages[stage].hint)}{' '}
          {isMost &&
            say(
              'This is the most it can be: people who have left the list get no letter. For the exact number, check again.',
            )}
        </p>
      </div>
      <Force isShown={mayForce || problems > 0} count={problems} id={stage} />
      <div className="line row">
        <Field
          id={`people-${stage}`}
          name="people"
          label={
            <Around text={say('Type {people} to send it')}>
              <strong>{grouped(count)}</strong>
            </Around>
          }
          inputMode="numeric"
          autoComplete="off"
          required
          maxLength={14}
        />
        <Button kind={isMain ? 'main' : 'quiet'}>
          {say('Send to {people}', { people: whom })}
        </Button>
      </div>
    </PostForm>
  )
}

/** A run for those new sends to the queue as well, and counts it. */
function titleOf({ stage, progress }: LetterPage & StageShown): string {
  const { eligible, tally, again } = progress
  if (stage === 'everyone' && eligible > 0) return say('Everyone else')
  if (stage === 'newcomers' && tally.queued > 0)
    return say('Everyone else, and those new since the letter began')
  return `${say(letterStages[stage].title)}${isRetry(stage) && again > 0 ? say(', and those whom the mail server put off') : ''}`
}

interface ForceProps {
  readonly isShown: boolean
  readonly count: number
  readonly id: string
}

function Force(props: ForceProps) {
  if (!props.isShown) return null
  return (
    <label className="check note" htmlFor={`force-${props.id}`}>
      <input type="checkbox" id={`force-${props.id}`} name="force" />
      {say('Send it in spite of {problems}', {
        problems: props.count > 0 ? counted(props.count, 'problem') : say('problems'),
      })}
    </label>
  )
}
