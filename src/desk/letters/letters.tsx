import type { LetterRow, LettersPage } from '../../shared/desk-letters.ts'
import { deskPaths } from '../../shared/desk-pages.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Notice } from '../parts/light.tsx'
import { Section } from '../parts/section.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Age } from '../parts/time.tsx'
import { grouped } from '../words.ts'
import { LetterMark } from './letter-mark.tsx'
import { mistakesInWords } from './letter-words.ts'

const NEW = `${deskPaths.letters}/new`

const columns: readonly Column<LetterRow>[] = [
  {
    key: 'letter',
    head: 'Letter',
    cell: ({ name, subject }) => (
      <a className="letter-link" href={`${deskPaths.letters}/${name}`}>
        <Foreign text={subject || name} />
        <span className="tag">{name}</span>
      </a>
    ),
  },
  {
    key: 'state',
    head: 'State',
    cell: ({ state, mistakes }) =>
      mistakes > 0 && state === 'unsent' ? (
        <span className="mark" data-letter="mistaken">
          <span className="mark-dot" />
          {mistakesInWords(mistakes)}
        </span>
      ) : (
        <LetterMark state={state} />
      ),
  },
  {
    key: 'told',
    head: 'Told',
    isNumber: true,
    cell: ({ told, of }) => (of > 0 ? `${grouped(told)} of ${grouped(of)}` : ''),
  },
  {
    key: 'at',
    head: 'Changed',
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
          <Empty title="No letter yet">
            <p>
              Write what everybody on the list gets when you open. It is looked at, checked and
              tested here before anybody has it, and nobody gets it twice.
            </p>
            <p className="actions">
              <ButtonLink kind="main" href={NEW}>
                Write the first letter
              </ButtonLink>
            </p>
          </Empty>
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
      <p className="letters-folder">
        Each letter is a file in <code>{folder}</code> that the command <code>announce</code> takes
        as it is. Its name is the announcement’s.
      </p>
    </>
  )
}
