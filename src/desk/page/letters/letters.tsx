import { grouped } from '../../../shared/counted.ts'
import type { LetterRow, LettersPage } from '../../contract/letters.ts'
import { deskPaths } from '../../contract/pages.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Notice } from '../parts/light.tsx'
import { Section } from '../parts/section.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Age } from '../parts/time.tsx'
import { PlacesBeneath } from '../places-beneath.tsx'
import { LetterMark } from './letter-mark.tsx'

const NEW = `${deskPaths.letters}/new`

const columns: readonly Column<LetterRow>[] = [
  {
    key: 'letter',
    head: 'Letter',
    cell: ({ name, subject, languages }) => (
      <a className="letter-link" href={`${deskPaths.letters}/${name}`}>
        <Foreign text={subject || name} />
        <span className="tag">{[name, ...languages].join(' · ')}</span>
      </a>
    ),
  },
  {
    key: 'state',
    head: 'State',
    cell: (letter) => <LetterMark {...letter} />,
  },
  {
    key: 'told',
    head: 'Told',
    isNumber: true,
    cell: ({ told, of, state }) => {
      if (of === 0) return ''
      return `${grouped(told)} ${state === 'told' ? `of ${grouped(of)}` : 'so far'}`
    },
  },
  {
    key: 'at',
    head: 'Written',
    isNumber: true,
    isWideOnly: true,
    cell: ({ at }) => <Age at={at} />,
  },
]

/** The letters, with how far each is. */
export function Letters({ letters, folder, elsewhere }: LettersPage) {
  return (
    <>
      <h1 className="visually-hidden">Letters</h1>
      {elsewhere && <Notice tone="calm" title={elsewhere} />}
      {letters.length === 0 ? (
        <Section title="Letters">
          <div className="narrow pad after-2">
            <p className="strong">No letter yet</p>
            <p className="quiet after-1">
              Write the letter that all subscribers get when you open.
            </p>
            <p className="row after-5">
              <ButtonLink kind="main" href={NEW}>
                Write the first letter
              </ButtonLink>
            </p>
          </div>
        </Section>
      ) : (
        <Section title="Letters" aside={<ButtonLink href={NEW}>Write a letter</ButtonLink>}>
          <Table
            caption="Letters, the newest first"
            columns={columns}
            rows={letters}
            keyOf={({ name }) => name}
          />
        </Section>
      )}
      <p className="note after-4">
        A letter that is written here is a file in <code>{folder}</code>, and can be sent from a
        terminal as well. The announcement has the name of the file.
      </p>
      <PlacesBeneath place="letters" />
    </>
  )
}
