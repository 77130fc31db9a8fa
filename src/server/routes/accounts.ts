import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { paths } from '../../shared/api.ts'
import { parseEmail } from '../../shared/email.ts'
import type { BodySchema } from '../http/body-schema.ts'
import { Refusal } from '../http/refusal.ts'

export interface AccountsOptions {
  /** What the product's server sends as `Authorization: Bearer …`. */
  readonly key: string
  /** Keeps when somebody on the list became a user. @throws StoreUnavailable */
  readonly noteCame: (email: string, at: Date) => Promise<unknown>
}

interface AccountRoute {
  Body: { readonly email: string; readonly at?: string }
}

const body: BodySchema = {
  type: 'object',
  required: ['email'],
  properties: { email: { type: 'string' }, at: { type: 'string' } },
}

/**
 * `POST /api/accounts`: the product's server says that it made an account. Each address gets the same
 * answer, so that a key which leaked tells nothing of the list.
 */
export async function accountRoutes(
  app: FastifyInstance,
  { accounts }: { readonly accounts?: AccountsOptions | undefined },
) {
  if (!accounts) return
  const { key, noteCame } = accounts
  const digest = (text: string) => hash('sha256', text, 'buffer')
  const right = digest(`Bearer ${key}`)
  app.post<AccountRoute>(
    paths.accounts,
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
      await noteCame(parsed, time < now ? time : now)
      return reply.code(204).header('cache-control', 'no-store').send()
    },
  )
}
