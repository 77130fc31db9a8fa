import type { ComponentProps } from 'react'
import { counted, grouped } from '../../../shared/counted.ts'
import { deskPaths } from '../../contract/pages.ts'
import type { PeopleFilter, PeopleFound, PeoplePage } from '../../contract/people.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Done, Notice } from '../parts/light.tsx'
import { standingInWords } from '../parts/standing-mark.tsx'
import { PlacesBeneath } from '../places-beneath.tsx'
import { PostForm } from '../post-form.tsx'
import { Address } from './address.tsx'
import { PeopleTable } from './people-table.tsx'
import { type Search, useSearch } from './use-search.ts'

/** The list: a search, and actions for several people. */
export function People(page: PeoplePage) {
  const search = useSearch(page)
  const { done, isLater } = page
  const { shown, status, filter } = search
  return (
    <div className="people" data-status={status}>
      <h1 className="visually-hidden">People</h1>
      <Done note={done} />
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

type FiltersProps = Pick<PeoplePage, 'filter' | 'standings' | 'sources' | 'choices'>

function Filters({ filter, standings, sources, choices }: FiltersProps) {
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
      <SuggestingField
        name="source"
        label="Source"
        suggestions={sources}
        maxLength={64}
        defaultValue={filter.source}
        autoCapitalize="none"
        spellCheck={false}
      />
      {(choices || filter.answer) && (
        <SuggestingField
          name="answer"
          label="Answer"
          suggestions={choices ?? []}
          maxLength={200}
          defaultValue={filter.answer}
        />
      )}
      <Field name="since" label="From" type="date" defaultValue={filter.since} />
      <Field name="until" label="To" type="date" defaultValue={filter.until} />
    </>
  )
}

type SuggestingFieldProps = ComponentProps<typeof Field> & {
  readonly suggestions: readonly string[]
}

/** A field for any text, with what is known to begin with. */
function SuggestingField({ suggestions, ...own }: SuggestingFieldProps) {
  const id = `${own.name}-suggestions`
  return (
    <>
      <Field {...own} placeholder="any" list={id} autoComplete="off" />
      <datalist id={id}>
        {suggestions.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  )
}

function Found({ search: { shown, filter } }: { readonly search: Search }) {
  const { people, beside } = shown
  const part = filter.text.toLowerCase()
  const isSelecting =
    people.length > 0 && people.every(({ standing }) => standing === 'quarantined')
  const table = <PeopleTable people={people} part={part} isSelecting={isSelecting} />
  return (
    <>
      {beside && (
        <Notice tone="calm" title={<Address email={beside.email} />}>
          {beside.how} <a href={`${deskPaths.people}/${beside.id}`}>Look at them</a>
        </Notice>
      )}
      {people.length === 0 && !beside && <Nobody filter={filter} />}
      {people.length > 0 && !isSelecting && table}
      {isSelecting && (
        <PostForm action={`${deskPaths.people}/selected`}>
          {table}
          <div className="selected over pad row">
            <p>The selected ones:</p>
            <Button name="end" value="release">
              Release
            </Button>
            <Button name="end" value="erase" kind="danger">
              Erase …
            </Button>
          </div>
        </PostForm>
      )}
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
        <Field
          name="format"
          label="As"
          control={(own) => (
            <select {...own} form="looking" defaultValue="csv">
              <option value="csv">CSV</option>
              <option value="excel">CSV for Excel</option>
              <option value="json">JSON</option>
              <option value="ndjson">JSON, a line each</option>
            </select>
          )}
        />
        <label className="check">
          <input type="checkbox" name="all" form="looking" />
          Include those who get no letters, with the reason
        </label>
        <Button form="looking" formAction={`${deskPaths.people}/export`} name="export" value="yes">
          Download
        </Button>
      </div>
    </details>
  )
}
