import type { FastifyReply } from 'fastify'

/** A link that has a token behind its path. */
export interface LinkRoute {
  Params: { '*': string }
}

/** Sends a page behind such a link, which must not leak to other sites, or stay on a shared machine. */
export const sendLinkPage = (
  reply: FastifyReply,
  status: number,
  page: string | Buffer | undefined,
  headers: Readonly<Record<string, string>> = {},
) =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({ ...headers, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .send(page)
