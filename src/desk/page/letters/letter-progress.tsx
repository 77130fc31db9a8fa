import { leadOf, type Report } from '../../../shared/report.ts'
import { say } from '../../../shared/say.ts'
import { isRunning, type LetterPage, peopleToTell } from '../../contract/letters.ts'
import { deskPaths } from '../../contract/pages.ts'
import { Button } from '../parts/button.tsx'
import { Section } from '../parts/section.tsx'
import { PostForm } from '../post-form.tsx'
import { NoteLights } from '../report/note.tsx'
import { Lead, notesOf, Parts } from '../report/report.tsx'
import { LetterMark } from './letter-mark.tsx'

/** How far the announcement is, and its result. */
export function Progress(page: LetterPage) {
  const { name, progress } = page
  const { state, eligible, tally, report } = progress
  const lead = leadOf(report)
  return (
    <Section
      className="ruled"
      title={report.title}
      aside={<LetterMark state={state} told={tally.sent} of={peopleToTell(eligible, tally)} />}
    >
      {lead && <Lead {...lead} as="p" />}
      {lead?.of && (
        <p className="after-3">
          <meter value={Number(lead.value)} max={lead.of.all} />
        </p>
      )}
      {isRunning(state) && (
        <PostForm className="row after-3" action={`${deskPaths.letters}/${name}/stop`}>
          <Button kind="danger" disabled={state === 'stopping'}>
            {state === 'stopping' ? say('Stopping') : say('Stop')}
          </Button>
        </PostForm>
      )}
      <div className="after-3">
        <NoteLights notes={notesOf(report)} />
      </div>
      <GoOn {...page} />
      <Parts {...withoutUnsent(report)} />
    </Section>
  )
}

const isUnsent = (part: Report['parts'][number]) => part.part === 'table' && part.name === 'notSent'

const withoutUnsent = (report: Report): Report => ({
  ...report,
  parts: report.parts.filter((part) => !isUnsent(part)),
})

/** Those without the letter, who get it only by an action: beneath the letter, since they are many. */
export const Unsent = ({ progress: { report } }: Pick<LetterPage, 'progress'>) => (
  <Parts {...report} parts={report.parts.filter(isUnsent)} />
)

/** Goes on with a run that was interrupted: its number was typed when it was begun. */
function GoOn({ name, progress, mistakes, missing, changedAt, ...page }: LetterPage) {
  const { goesOn } = progress
  if (!goesOn || changedAt === undefined || mistakes.length + missing.length > 0) return null
  const { nextRun: run, version, settings, check } = page
  const seen = { run, version, checkedAt: check?.at ?? '' }
  const values = { ...settings, ...seen, stage: goesOn, goOn: 'on' }
  return (
    <PostForm className="row after-4" action={`${deskPaths.letters}/${name}/send`} values={values}>
      <Button kind="main">{say('Go on')}</Button>
    </PostForm>
  )
}
