import { say } from '../../../shared/say.ts'
import { isOutdated, isRunning, type LetterPage } from '../../contract/letters.ts'
import { deskPaths } from '../../contract/pages.ts'
import { Back } from '../parts/back.tsx'
import { ButtonLink } from '../parts/button.tsx'
import { NotDone, Notice } from '../parts/light.tsx'
import { Section } from '../parts/section.tsx'
import { Ago } from '../parts/time.tsx'
import { notesOf } from '../report/report.tsx'
import { Languages, Removal } from './languages.tsx'
import { LetterMark } from './letter-mark.tsx'
import { Progress, Unsent } from './letter-progress.tsx'
import { Steps } from './letter-steps.tsx'
import { LetterView, Written } from './letter-view.tsx'
import { titleOfLetter } from './letter-words.ts'
import { useProgress } from './use-progress.ts'

/** A letter: what it is, how far its announcement is, how it looks, and what is next. */
export function Letter(page: LetterPage) {
  const { name, look, shown, version, error } = page
  const progress = useProgress(name, page.progress)
  const isBegun = progress.state !== 'unsent'
  const check = page.check && !isOutdated(page.check, progress) ? page.check : undefined
  return (
    <>
      <Head {...page} />
      <NotDone error={error} />
      {(isBegun || notesOf(progress.report).length > 0) && (
        <Progress {...page} progress={progress} check={check} />
      )}
      {page.languages && <Languages {...page} languages={page.languages} />}
      <div className={isRunning(progress.state) ? undefined : 'letter-columns columns'}>
        <div className="letter-seen">
          {look && <LetterView name={name} version={version} code={shown} look={look} />}
          {page.source !== undefined && (
            <Section title={say('As it is written')}>
              <Written source={page.source} />
            </Section>
          )}
          {page.changedAt === undefined && (
            <Notice tone="calm" title={say('This letter has no file at the desk')}>
              {say('It was sent from a terminal, with a file in another folder.')}
              {!isRunning(progress.state) &&
                progress.state !== 'told' &&
                say(' To go on, announce that file again at a terminal.')}
            </Notice>
          )}
        </div>
        {page.changedAt !== undefined && !isRunning(progress.state) && (
          <Steps {...page} progress={progress} check={check} />
        )}
      </div>
      {isBegun && <Unsent progress={progress} />}
    </>
  )
}

function Head(page: LetterPage) {
  const { name, preview, from, changedAt, isOpen, progress, mistakes } = page
  const path = `${deskPaths.letters}/${name}`
  return (
    <header className="letter-head ruled">
      <Back to={deskPaths.letters}>{say('Letters')}</Back>
      <div className="row after-1">
        <div>
          <h1 className="letter-title title" dir="auto">
            {titleOfLetter(page)}
          </h1>
          {preview && (
            <p className="letter-preview quiet after-1" dir="auto">
              {preview}
            </p>
          )}
          <p className="row wide after-3">
            {progress.state === 'unsent' && (
              <LetterMark state="unsent" mistakes={mistakes.length} />
            )}
            <span className="note">
              {changedAt === undefined ? name : <a href={`${path}/letter.md`}>{name}.md</a>}
            </span>
            {from && (
              <span className="note">
                {say('from')} {from}
              </span>
            )}
            {changedAt !== undefined && (
              <span className="note">
                {say('changed')} <Ago at={changedAt} />
              </span>
            )}
          </p>
        </div>
        {changedAt !== undefined && (
          <div className="row">
            {isOpen && <ButtonLink href={`${path}/edit`}>{say('Edit')}</ButtonLink>}
            <ButtonLink href={`${deskPaths.letters}/new?copy=${name}`}>{say('Copy')}</ButtonLink>
            {isOpen && progress.state === 'unsent' && (
              <Removal name={name} what={name}>
                {page.languages
                  ? say('This deletes its files, in all languages.')
                  : say('This deletes the file.')}{' '}
                {say('Nobody has got this letter.')}
              </Removal>
            )}
          </div>
        )}
      </div>
    </header>
  )
}
