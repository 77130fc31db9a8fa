import { plainLine } from './plain-line.ts'

/** Where somebody came from, as the link says that they followed. */
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
 * A name as it may be kept: one line of at most 64 characters, in lower case. A name with an address
 * in it, as some newsletters make, is none: nobody would find it again to forget it.
 */
export function sourceName(text: string | null | undefined): string | undefined {
  if (!text) return undefined
  // As nearly all are.
  if (PLAIN.test(text)) return text.toLowerCase()
  const name = plainLine(plainLine(text, LONGEST_NAME).toLowerCase(), LONGEST_NAME).trim()
  return name === '' || /@|%40/.test(name) ? undefined : name
}

/** @param url a URL, or what follows its host. @returns `undefined` where it names no source. */
export function sourceIn(url: string | undefined): Source | undefined {
  const from = url?.indexOf('?') ?? -1
  if (!url || from < 0) return undefined
  const [query = ''] = url.slice(from + 1, from + LONGEST_QUERY).split('#', 1)
  const given = new URLSearchParams(query)
  return source({
    source: given.get('utm_source') || given.get('ref'),
    medium: given.get('utm_medium'),
    campaign: given.get('utm_campaign'),
  })
}

/** What a store or a copy has; anybody may have made a copy. @param kept JSON, or what it says. */
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
