import { parse } from 'node:querystring'
import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'

/** More than any form has that posts to us. The rest is not read, since thousands take long. */
const MOST_FIELDS = 50

/** Has the routes of a scope read forms, and nothing else. */
export async function readForms(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  await app.register(formbody, {
    parser: (body: string) => parse(body, '&', '=', { maxKeys: MOST_FIELDS }),
  })
}
