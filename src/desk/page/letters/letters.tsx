import { grouped } from '../../../shared/counted.ts'
import { say } from '../../../shared/say.ts'
import type { LetterRow, LettersPage } from '../../contract/letters.ts'
import { deskPaths } from '../../contract/pages.ts'
import { Around } from '../parts/around.tsx'
import { ButtonLink } from '../parts/button.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Notice } from '../parts/light.tsx'
import { Section } from '../parts/section.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Age } from '../parts/time.tsx'
import { PlacesBeneath } from '../places-beneath.tsx'
import { LetterMark } from './letter-mark.tsx'

const NEW = `${deskPaths.letters}/new`

const columns = (): readonly Column<LetterRow>[] => [
  {
    key: 'letter',
    head: say('Letter'),
    cell: ({ name, subject, languages }) => (
      <a className="letter-link" href={`${deskPaths.letters}/${name}`}>
        <Foreign text={subject || name} />
        <span className="tag">{[name, ...languages].join(' · ')}</span>
      </a>
    ),
  },
  {
    key: 'state',
    head: say('State'),
    cell: (letter) => <LetterMark {...letter} />,
  },
  {
    key: 'told',
    head: say('Told'),
    isNumber: true,
    cell: ({ told, of, state }) => {
      if (of === 0) return ''
      return state === 'told'
        ? say('{told} of {of}', { told: grouped(told), of: grouped(of) })
        : say('{told} so far', { told: grouped(told) })
    },
  },
  {
    key: 'at',
    head: say('Written'),
    isNumber: true,
    isWideOnly: true,
    cell: ({ at }) => <Age at={at} />,
  },
]

/** The letters, with how far each is. */
export function Letters({ letters, folder, elsewhere }: LettersPage) {
  return (
    <>
      <h1 className="visually-hidden">{say('Letters')}</h1>
      {elsewhere && <Notice tone="calm" title={elsewhere} />}
      {letters.length === 0 ? (
        <Section title={say('Letters')}>
          <div className="narrow pad after-2">
            <p className="strong">{say('No letter yet')}</p>
            <p className="quiet after-1">
              {say('Write the letter that all subscribers get when you open.')}
            </p>
            <p className="row after-5">
              <ButtonLink kind="main" href={NEW}>
                {say('Write the first letter')}
              </ButtonLink>
            </p>
          </div>
        </Section>
      ) : (
        <Section
          title={say('Letters')}
          aside={<ButtonLink href={NEW}>{say('Write a letter')}</ButtonLink>}
        >
          <Table
            caption={say('Letters, the newest first')}
            columns={columns()}
            rows={letters}
            keyOf={({ name }) => name}
          />
        </Section>
      )}
      <p className="note after-4">
        <Around
          text={say(
            'A letter that is written here is a file in {folder}, and can be sent from a terminal as well. The announcement has the name of the file.',
          )}
        >
          <code>{folder}</code>
        </Around>
      </p>
      <PlacesBeneath place="letters" />
    </>
  )
}
