import { counted, grouped } from '../../../shared/counted.ts'
import { deskPaths } from '../../contract/pages.ts'
import type { PeopleFilter, PeopleFound, PeoplePage } from '../../contract/people.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Notice } from '../parts/light.tsx'
import { standingInWords } from '../parts/standing-mark.tsx'
import { PlacesBeneath } from '../places-beneath.tsx'
import { PostForm } from '../post-form.tsx'
import { Address } from './address.tsx'
import { PeopleTable } from './people-table.tsx'
import { type Search, useSearch } from './use-search.ts'

/** The list, a search in it, and a file of what is found. */
export function People(page: PeoplePage) {
  const search = useSearch(page)
  const { isLater } = page
  const { shown, status, filter } = search
  return (
    <div className="people" data-status={status}>
      <h1 className="visually-hidden">People</h1>
      <Looking page={page} search={search} />
      <div className="spread quiet after-6">
        <p role="status" className="found">
          {foundInWords(shown, isLater, isEmpty(filter))}
        </p>
        {isLater && <a href={deskPaths.people}>Back to the newest</a>}
      </div>
      {status === 'error' && <Notice tone="warn" title={search.problem} />}
      <Found search={search} />
      {shown.next !== null && (
        <p className="after-5">
          <Button form="looking" name="after" value={shown.next}>
            Older
          </Button>
        </p>
      )}
      <Export />
      <PlacesBeneath place="people" />
    </div>
  )
}

function Looking({ page, search }: { readonly page: PeoplePage; readonly search: Search }) {
  return (
    <PostForm
      ref={search.form}
      id="looking"
      className="looking after-6"
      action={deskPaths.people}
      onInput={search.onInput}
      onSubmit={search.onSubmit}
    >
      <Field
        name="text"
        type="search"
        label="Find an address"
        isLabelHidden
        placeholder="Any part of an address"
        defaultValue={page.filter.text}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={400}
        enterKeyHint="search"
      />
      <details className="filters after-4">
        <summary className="quiet">{['Filter', ...chosen(search.filter)].join(' · ')}</summary>
        <div className="filters-row">
          <Filters {...page} />
          <Button>Search</Button>
        </div>
      </details>
    </PostForm>
  )
}

type FiltersProps = Pick<PeoplePage, 'filter' | 'standings' | 'choices'>

function Filters({ filter, standings, choices }: FiltersProps) {
  return (
    <>
      <Field
        name="standing"
        label="Standing"
        control={(own) => (
          <select {...own} defaultValue={filter.standing}>
            <option value="">any</option>
            {standings.map((standing) => (
              <option key={standing} value={standing}>
                {standingInWords(standing)}
              </option>
            ))}
          </select>
        )}
      />
      <Field
        name="source"
        label="Source"
        placeholder="any"
        autoComplete="off"
        maxLength={64}
        defaultValue={filter.source}
        autoCapitalize="none"
        spellCheck={false}
      />
      {(choices || filter.answer) && (
        <>
          <Field
            name="answer"
            label="Answer"
            placeholder="any"
            list="choices"
            autoComplete="off"
            maxLength={200}
            defaultValue={filter.answer}
          />
          <datalist id="choices">
            {choices?.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </>
      )}
      <Field name="since" label="From" type="date" defaultValue={filter.since} />
      <Field name="until" label="To" type="date" defaultValue={filter.until} />
    </>
  )
}

function Found({ search: { shown, filter } }: { readonly search: Search }) {
  const { people, beside } = shown
  const part = filter.text.toLowerCase()
  return (
    <>
      {beside && (
        <Notice tone="calm" title={<Address email={beside.email} />}>
          {beside.how} <a href={`${deskPaths.people}/${beside.id}`}>Look at them</a>
        </Notice>
      )}
      {people.length > 0 && <PeopleTable people={people} part={part} />}
      {people.length === 0 && !beside && <Nobody filter={filter} />}
    </>
  )
}

/** What is filtered by, beside the text. */
const chosen = ({ standing, source, answer, since, until }: PeopleFilter) =>
  [
    standingInWords(standing),
    source,
    answer && `“${answer}”`,
    since && `from ${since}`,
    until && `to ${until}`,
  ].filter(Boolean)

const isEmpty = (filter: PeopleFilter) => filter.text === '' && chosen(filter).length === 0

function Nobody({ filter }: { readonly filter: PeopleFilter }) {
  if (isEmpty(filter))
    return <p className="narrow quiet after-2">New subscribers appear here at once.</p>
  return (
    <p className="narrow quiet after-2">
      {filter.source
        ? 'A source is a name in a link, such as newsletter in ?ref=newsletter. Those who came direct or were imported have none. '
        : 'An address is found by any part of it, such as ada or @example.com. '}
      <a href={deskPaths.people}>Show everybody</a>
    </p>
  )
}

function foundInWords(
  { found, isMore, people, beside }: PeopleFound,
  isLater: boolean,
  isAll: boolean,
): string {
  if (found === 0 && isAll) return 'Nobody has signed up yet'
  if (found === 0 && beside)
    return beside.isListed ? 'Nobody with this filter' : 'Nobody on the list'
  if (found === 0) return 'Nobody was found'
  if (isLater) return `The next ${grouped(people.length)}`
  if (isMore) return `More than ${grouped(found)} people`
  return counted(found, 'person', 'people')
}

/** With the filters of the form above. */
function Export() {
  return (
    <details className="export over after-6">
      <summary className="quiet pad">Export what is found</summary>
      <div className="line row wide">
        <label className="check">
          <input type="checkbox" name="all" form="looking" />
          Include those who get no letters, with the reason
        </label>
        <Button form="looking" formAction={`${deskPaths.people}/export`} name="export" value="csv">
          Download
        </Button>
        <Button
          form="looking"
          formAction={`${deskPaths.people}/export`}
          name="export"
          value="excel"
        >
          For Excel
        </Button>
      </div>
    </details>
  )
}
