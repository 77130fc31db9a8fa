import type { FastifyInstance } from 'fastify'
import { deskPaths } from '../../shared/desk-pages.ts'
import type { DeskParts } from './parts.ts'

/** `GET /desk`: what is seen first. */
export function today(desk: FastifyInstance, { store, show }: DeskParts) {
  desk.get(deskPaths.today, async (request, reply) =>
    show(request, reply, { page: 'today', subscribers: await store.count() }),
  )
}
