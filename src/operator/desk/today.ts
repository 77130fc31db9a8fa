import type { FastifyInstance } from 'fastify'
import { deskPaths } from '../../shared/desk-pages.ts'
import { curveSpans } from '../../shared/desk-today.ts'
import type { DeskParts } from './parts.ts'
import { todayReader } from './today-state.ts'

/** `GET /desk`: what is seen first. It goes on by the events `today`. */
export function today(desk: FastifyInstance, { show, ...parts }: DeskParts) {
  const read = todayReader(parts)
  parts.live.topic('today', read)

  desk.get<{ Querystring: Record<string, unknown> }>(deskPaths.today, async (request, reply) => {
    const { span, sort } = request.query
    return show(request, reply, {
      page: 'today',
      state: await read(),
      span: curveSpans.find((one) => one === span) ?? 'day',
      sort: typeof sort === 'string' ? sort.slice(0, MOST_SORT) : '',
    })
  })
}

/** Longer than the name of any column. */
const MOST_SORT = 20
