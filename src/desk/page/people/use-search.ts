import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { say } from '../../../shared/say.ts'
import { deskPaths } from '../../contract/pages.ts'
import type { PeopleFilter, PeopleFound, PeoplePage } from '../../contract/people.ts'

/** How long a search waits for the next key. */
const PAUSE_MS = 120

export interface Search {
  readonly form: RefObject<HTMLFormElement | null>
  readonly shown: PeopleFound
  /** With which they were found. */
  readonly filter: PeopleFilter
  readonly status: 'idle' | 'loading' | 'success' | 'error'
  readonly problem: string
  readonly onInput: (event: FormEvent<HTMLFormElement>) => void
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
}

const idle: Pick<Search, 'status' | 'problem'> = { status: 'idle', problem: '' }

/**
 * Searches while somebody types: one request at a time, and none for a key that the next one follows.
 * The text stays in the body of the request and in this tab's own history.
 */
export function useSearch(page: PeoplePage): Search {
  const form = useRef<HTMLFormElement>(null)
  const [shown, setShown] = useState<PeopleFound>(page)
  const [filter, setFilter] = useState(page.filter)
  const [progress, setProgress] = useState(idle)
  const running = useRef<AbortController>(undefined)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)

  async function search(fields: FormData) {
    running.current?.abort()
    const request = new AbortController()
    running.current = request
    setProgress({ status: 'loading', problem: '' })
    try {
      const found = await find(fields, request.signal)
      setShown(found)
      setFilter(filterOf(fields))
      setProgress({ status: 'success', problem: '' })
      remember(fields)
    } catch (error) {
      if (request.signal.aborted) return
      const isOurs = error instanceof Error && !(error instanceof TypeError)
      setProgress({ status: 'error', problem: isOurs ? error.message : problemOf(0) })
    }
  }

  function searchSoon(pause: number) {
    clearTimeout(waiting.current)
    waiting.current = setTimeout(() => {
      if (form.current) search(new FormData(form.current))
    }, pause)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is there
  useEffect(() => {
    if (form.current && isOther(form.current, page.filter)) searchSoon(0)
    return () => {
      clearTimeout(waiting.current)
      running.current?.abort()
    }
  }, [])

  return {
    form,
    shown,
    filter,
    ...progress,
    onInput: () => searchSoon(PAUSE_MS),
    onSubmit: (event) => {
      const by = (event.nativeEvent as SubmitEvent).submitter
      // Later pages and exports load as pages of their own.
      if (by instanceof HTMLButtonElement && ['after', 'export'].includes(by.name)) return
      event.preventDefault()
      searchSoon(0)
    },
  }
}

async function find(fields: FormData, signal: AbortSignal): Promise<PeopleFound> {
  const answer = await fetch(`${deskPaths.people}/search`, {
    method: 'POST',
    body: new URLSearchParams([...fields].map(([name, value]) => [name, String(value)])),
    signal,
  })
  if (!answer.ok) throw new Error(problemOf(answer.status))
  return answer.json()
}

/** Puts back the search before a person was opened. @returns whether it, or what was typed before the script ran, is another one. */
function isOther(form: HTMLFormElement, filter: PeopleFilter): boolean {
  const others = (['text', 'answer'] as const).filter((name) => {
    const field = form.elements.namedItem(name)
    if (!(field instanceof HTMLInputElement)) return false
    const before: unknown = history.state?.[name]
    if (typeof before === 'string' && field.value === '') field.value = before
    return field.value !== filter[name]
  })
  return others.length > 0
}

const filterNames = ['text', 'standing', 'source', 'answer', 'since', 'until'] as const

function filterOf(fields: FormData): PeopleFilter {
  const given = filterNames.map((name) => [name, String(fields.get(name) ?? '').trim()])
  return Object.fromEntries(given)
}

/** Puts the filters into the address, but neither the text nor the answer. */
function remember(fields: FormData) {
  const filters = ['standing', 'source', 'since', 'until'].map((name) => [
    name,
    String(fields.get(name) ?? ''),
  ])
  const query = new URLSearchParams(filters.filter(([, value]) => value !== ''))
  const [text, answer] = ['text', 'answer'].map((name) => String(fields.get(name) ?? ''))
  history.replaceState(
    { text, answer },
    '',
    `${deskPaths.people}${query.size > 0 ? `?${query}` : ''}`,
  )
}

function problemOf(status: number): string {
  if (status === 503)
    return say('The database cannot be reached. The people shown are from before.')
  if (status === 404) return say('Your session has ended. Open the desk with a new link.')
  if (status === 403) return say('This page is too old. Load it again.')
  return say('The desk could not be reached. The people shown are from before.')
}
