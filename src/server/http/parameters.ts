import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { rules } from '../../features/all-rules.ts'
import { queryIn, queryOf } from '../../shared/source.ts'
import { sourceOf } from './source-of.ts'

/**
 * What the link by which a visitor came says to a feature, by the feature's parameter, from the same
 * places as their source. It has the form of one, and may be nobody's.
 */
export function parameterOf(
  name: string,
  { url, headers }: Pick<IncomingMessage, 'url' | 'headers'>,
): string | undefined {
  const given = [url, headers.referer].map((one) => queryIn(one)?.get(name) ?? '')
  return given.find((value) => parameters.some((one) => one.name === name && one.isOne(value)))
}

const parameters = rules.flatMap(({ parameter }) => parameter ?? [])

/** The query of a page from which the same visitor may sign up: with their source and these. */
export function nextQueryOf(request: FastifyRequest): string {
  const query = new URLSearchParams(queryOf(sourceOf(request) ?? {}))
  for (const { name } of parameters) {
    const value = parameterOf(name, request)
    if (value !== undefined) query.set(name, value)
  }
  return query.size > 0 ? `?${query}` : ''
}
