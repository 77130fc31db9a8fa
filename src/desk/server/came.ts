import type { FastifyInstance } from 'fastify'
import { whoCame } from '../../audience/who-came.ts'
import { readSeldom } from '../../shared/read-seldom.ts'
import { deskPaths } from '../contract/pages.ts'
import type { DeskParts } from './parts.ts'

/** `/desk/came`: who of those told became a user, as the command `came` counts it. */
export function came(desk: FastifyInstance, { store, show }: DeskParts) {
  const figures = readSeldom(() => whoCame(store))
  desk.get(deskPaths.came, async (request, reply) =>
    show(request, reply, { page: 'came', figures: await figures() }),
  )
}
