import { plainLine } from './plain-line.ts'

/** The source of a visitor, as their link names it. */
export interface Source {
  /** `utm_source`, or else `ref`. */
  readonly source?: string
  /** `utm_medium` */
  readonly medium?: string
  /** `utm_campaign` */
  readonly campaign?: string
}

const LONGEST_NAME = 64
const LONGEST_QUERY = 2000
const PLAIN = /^[\w.+-]{1,64}$/

/**
 * A name that may be stored: one line of at most 64 characters, in lower case. A name with an
 * address in it, as some newsletters make, is refused: `forget` would not find it.
 */
export function sourceName(text: string | null | undefined): string | undefined {
  if (!text) return undefined
  // Nearly all names are plain.
  if (PLAIN.test(text)) return text.toLowerCase()
  const name = plainLine(plainLine(text, LONGEST_NAME).toLowerCase(), LONGEST_NAME).trim()
  return name === '' || /@|%40/.test(name) ? undefined : name
}

/** The query of a URL, or of what follows its host, as far as it is read. */
export function queryIn(url: string | undefined): URLSearchParams | undefined {
  const from = url?.indexOf('?') ?? -1
  if (!url || from < 0) return undefined
  const [query = ''] = url.slice(from + 1, from + LONGEST_QUERY).split('#', 1)
  return new URLSearchParams(query)
}

/** @param url a URL, or what follows its host. @returns `undefined` where it names no source. */
export function sourceIn(url: string | undefined): Source | undefined {
  const given = queryIn(url)
  if (!given) return undefined
  return source({
    source: given.get('utm_source') || given.get('ref'),
    medium: given.get('utm_medium'),
    campaign: given.get('utm_campaign'),
  })
}

/**
 * Reads the source of the list, or of a copy, which anybody may have made. @param kept JSON, or its
 * value.
 */
export function sourceFrom(kept: unknown): Source | undefined {
  try {
    const value: unknown = typeof kept === 'string' ? JSON.parse(kept) : kept
    return typeof value === 'object' && value !== null ? source(value) : undefined
  } catch {
    return undefined
  }
}

/** The query of a link that names a source. */
export function queryOf({ source, medium, campaign }: Source): string {
  const named = Object.entries({ ref: source, utm_medium: medium, utm_campaign: campaign })
  const given = named.filter((one): one is [string, string] => one[1] !== undefined)
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}

function source(given: Readonly<Partial<Record<keyof Source, unknown>>>): Source | undefined {
  const names = (['source', 'medium', 'campaign'] as const).flatMap((field) => {
    const name = typeof given[field] === 'string' && sourceName(given[field])
    return name ? [[field, name] as const] : []
  })
  return names.length > 0 ? Object.fromEntries(names) : undefined
}
