import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../server/http/refusal.ts'
import { parseEmail } from '../../shared/email.ts'

interface AccountRoute {
  Body: { readonly email: string; readonly at?: string }
}

/** Where the product's server says that it made an account; no page asks it. */
export const ACCOUNTS = '/api/accounts'

const body = {
  type: 'object',
  required: ['email'],
  properties: { email: { type: 'string' }, at: { type: 'string' } },
}

/**
 * `POST /api/accounts`: the product's server says that it made an account. Each address gets the same
 * answer, so that a key which leaked tells nothing of the list.
 *
 * @param key what the product's server sends as `Authorization: Bearer …`. @param note keeps when somebody
 *   on the list became a user, and throws StoreUnavailable.
 */
export const accountRoutes =
  (key: string, note: (email: string, at: Date) => Promise<unknown>) =>
  async (app: FastifyInstance) => {
    const digest = (text: string) => hash('sha256', text, 'buffer')
    const right = digest(`Bearer ${key}`)
    app.post<AccountRoute>(
      ACCOUNTS,
      {
        onRequest: async ({ headers }) => {
          if (!timingSafeEqual(digest(headers.authorization ?? ''), right))
            throw new Refusal('no-session')
        },
        schema: { body },
      },
      async (request, reply) => {
        const { email, at } = request.body
        const parsed = parseEmail(email)
        if (parsed === undefined) throw new Refusal('invalid-email')
        const now = new Date()
        const time = at === undefined ? now : new Date(at)
        if (!(time.getTime() >= 0)) throw new Refusal('bad-request')
        // The clocks of two machines differ.
        await note(parsed, time < now ? time : now)
        return reply.code(204).header('cache-control', 'no-store').send()
      },
    )
  }
