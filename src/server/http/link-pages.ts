import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { PERSON_SLOT } from '../../site/site.ts'
import { toRefusal } from './refusal.ts'

/** A link that has a token behind its path. */
export interface LinkRoute {
  Params: { '*': string }
}

/**
 * The pages behind such a link, by the step that it is at; a refusal is answered by one as well. They must
 * not leak to other sites, or stay on a shared machine.
 *
 * @param root the folder that the build's folder is in. @param statuses those that are not 200.
 * @returns sends one, with a text in its slot for who confirmed.
 */
export function linkPages<Step extends string>(
  app: FastifyInstance,
  root: string,
  files: readonly (readonly [Step | 'unavailable', file: string])[],
  statuses: Partial<Record<Step, number>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const pages = new Map<string, string[]>(
    files.map(([step, file]) => [step, readFileSync(join(root, file), 'utf8').split(PERSON_SLOT)]),
  )
  const sendAs = (reply: FastifyReply, step: string, status: number, own = '') =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .headers({ ...headers, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .send(pages.get(step)?.join(own))
  app.setErrorHandler((error, request, reply) =>
    sendAs(reply, 'unavailable', toRefusal(error, request).status),
  )
  return (reply: FastifyReply, step: Step, own?: string) =>
    sendAs(reply, step, statuses[step] ?? 200, own)
}
