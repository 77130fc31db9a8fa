import type { FastifyRequest } from 'fastify'
import { type Source, sourceIn, sourceName } from '../../shared/source.ts'

/**
 * The source of a sign-up. By our referrer policy, the page's posts carry its whole URL, with
 * script and without. A form on an outcome page has it in its own URL, and one on another site may
 * have it in fields.
 *
 * @param origin of another site whose form it was: without another source, that site is one.
 */
export function sourceOf(
  { url, body, headers }: Pick<FastifyRequest, 'url' | 'body' | 'headers'>,
  origin?: string,
): Source | undefined {
  const named = sourceIn(url) ?? sourceInFields(body) ?? sourceIn(headers.referer)
  if (named || origin === undefined) return named
  const site = sourceName(new URL(origin).host)
  return site === undefined ? undefined : { source: site }
}

/** The fields of a form that are called as the parts of a link's query are. */
const sourceFields = ['ref', 'utm_source', 'utm_medium', 'utm_campaign'] as const

function sourceInFields(body: unknown): Source | undefined {
  const fields = Object(body) as Readonly<Record<string, unknown>>
  const given = sourceFields.flatMap((name) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  return given.length > 0
    ? sourceIn(`?${new URLSearchParams(Object.fromEntries(given))}`)
    : undefined
}
