import { counted, grouped } from '../../../shared/counted.ts'
import { say } from '../../../shared/say.ts'
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
      <h1 className="visually-hidden">{say('People')}</h1>
      <Looking page={page} search={search} />
      <div className="spread quiet after-6">
        <p role="status" className="found">
          {foundInWords(shown, isLater, isEmpty(filter))}
        </p>
        {isLater && <a href={deskPaths.people}>{say('Back to the newest')}</a>}
      </div>
      {status === 'error' && <Notice tone="warn" title={search.problem} />}
      <Found search={search} />
      {shown.next !== null && (
        <p className="after-5">
          <Button form="looking" name="after" value={shown.next}>
            {say('Older')}
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
        label={say('Find an address')}
        isLabelHidden
        placeholder={say('Any part of an address')}
        defaultValue={page.filter.text}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={400}
        enterKeyHint="search"
      />
      <details className="filters after-4">
        <summary className="quiet">{[say('Filter'), ...chosen(search.filter)].join(' · ')}</summary>
        <div className="filters-row">
          <Filters {...page} />
          <Button>{say('Search')}</Button>
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
        label={say('Standing')}
        control={(own) => (
          <select {...own} defaultValue={filter.standing}>
            <option value="">{say('any')}</option>
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
        label={say('Source')}
        placeholder={say('any')}
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
            label={say('Answer')}
            placeholder={say('any')}
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
      <Field name="since" label={say('From')} type="date" defaultValue={filter.since} />
      <Field name="until" label={say('To')} type="date" defaultValue={filter.until} />
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
          {beside.how} <a href={`${deskPaths.people}/${beside.id}`}>{say('Look at them')}</a>
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
    since && say('from {since}', { since }),
    until && say('to {until}', { until }),
  ].filter(Boolean)

const isEmpty = (filter: PeopleFilter) => filter.text === '' && chosen(filter).length === 0

function Nobody({ filter }: { readonly filter: PeopleFilter }) {
  if (isEmpty(filter))
    return <p className="narrow quiet after-2">{say('New subscribers appear here at once.')}</p>
  return (
    <p className="narrow quiet after-2">
      {filter.source
        ? say(
            'A source is a name in a link, such as newsletter in ?ref=newsletter. Those who came direct or were imported have none. ',
          )
        : say('An address is found by any part of it, such as ada or @example.com. ')}
      <a href={deskPaths.people}>{say('Show everybody')}</a>
    </p>
  )
}

function foundInWords(
  { found, isMore, people, beside }: PeopleFound,
  isLater: boolean,
  isAll: boolean,
): string {
  if (found === 0 && isAll) return say('Nobody has signed up yet')
  if (found === 0 && beside)
    return beside.isListed ? say('Nobody with this filter') : say('Nobody on the list')
  if (found === 0) return say('Nobody was found')
  if (isLater) return say('The next {people}', { people: grouped(people.length) })
  if (isMore) return say('More than {found} people', { found: grouped(found) })
  return counted(found, 'person', 'people')
}

/** With the filters of the form above. */
function Export() {
  return (
    <details className="export over after-6">
      <summary className="quiet pad">{say('Export what is found')}</summary>
      <div className="line row wide">
        <label className="check">
          <input type="checkbox" name="all" form="looking" />
          {say('Include those who get no letters, with the reason')}
        </label>
        <Button form="looking" formAction={`${deskPaths.people}/export`} name="export" value="csv">
          {say('Download')}
        </Button>
        <Button
          form="looking"
          formAction={`${deskPaths.people}/export`}
          name="export"
          value="excel"
        >
          {say('For Excel')}
        </Button>
      </div>
    </details>
  )
}
