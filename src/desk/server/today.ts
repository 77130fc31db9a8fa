import type { FastifyInstance } from 'fastify'
import { brakes } from '../../shared/held-letters.ts'
import { say } from '../../shared/say.ts'
import { deskPaths } from '../contract/pages.ts'
import { curveSpans, type Span, type TodayState } from '../contract/today.ts'
import { fieldsOf } from './fields.ts'
import { untilOpen } from './opening-state.ts'
import { type DeskParts, DeskProblem } from './parts.ts'
import { todayReader } from './today-state.ts'

/** `GET /desk`: the first page. The events `today` keep it up to date. */
export function today(desk: FastifyInstance, { show, ...parts }: DeskParts) {
  const read = todayReader(parts)
  release(desk, parts)
  parts.live.topic('today', { read, againMs: ({ opening }) => untilOpen(opening) })

  desk.get(deskPaths.today, async (request, reply) => {
    const fields = fieldsOf(request.query)
    const state = await read()
    return show(request, reply, {
      page: 'today',
      state,
      span: curveSpans.find((one) => one === fields('span')) ?? usualSpan(state),
    })
  })
}

/** By the hour on the first days, when a curve by day has few bars. */
function usualSpan({ curves: { day } }: TodayState): Span {
  const last = day.signUps.length - 1
  const isYoung = day.before === 0 && day.signUps.slice(0, last - 1).every((one) => one === 0)
  return isYoung ? 'hour' : 'day'
}

/** `POST /desk/release`: releases letters that are held. */
function release(desk: FastifyInstance, { store }: Pick<DeskParts, 'store'>): void {
  desk.post(deskPaths.release, async (request, reply) => {
    const name = fieldsOf(request.body)('brake')
    const brake = brakes.find((one) => one === name)
    if (!brake)
      throw new DeskProblem(
        400,
        say('Nothing was released'),
        say('No letters wait for this reason.'),
      )
    await store.requests.releaseLetters(brake)
    return reply.redirect(deskPaths.today, 303)
  })
}
