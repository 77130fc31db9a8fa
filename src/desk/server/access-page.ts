import type { FastifyInstance, FastifyReply } from 'fastify'
import { say } from '../../shared/say.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { endAllSessions, endSession } from '../access/sessions.ts'
import { deskPaths, type ProblemPage } from '../contract/pages.ts'
import { deskHeaders } from '../contract/visitor.ts'
import { fieldsOf } from './fields.ts'
import { type DeskParts, DeskProblem } from './parts.ts'

const at = (path = '') => deskPaths.access + path
const ENDED = 'ended'

/** `/desk/access`: the open sessions. */
export function access(desk: FastifyInstance, { store, show, cookie }: DeskParts) {
  desk.get(at(), async (request, reply) => {
    const { sessions } = await store.desk.read()
    return show(request, reply, {
      page: 'access',
      sessions: sessions
        .filter(({ until }) => until > Date.now())
        .toSorted((a, b) => b.usedAt - a.usedAt)
        .map(({ id, device: name, begunAt, usedAt }) => ({
          ...{ id, name, begunAt, usedAt },
          isThis: id === request.desk.id,
        })),
      isEnded: ENDED in (request.query as object),
    })
  })

  desk.post(at('/end'), async (request, reply) => {
    const id = fieldsOf(request.body)('id')
    const isWritten = await orInMemory(reply, id, () =>
      id === 'all' ? endAllSessions(store.desk) : endSession(store.desk, id),
    )
    if (id !== 'all' && id !== request.desk.id)
      return isWritten ? reply.redirect(at(`?${ENDED}`), 303) : show(request, reply, onlyHere())
    reply.header('set-cookie', cookie.write('', 0))
    return show(request, reply, { page: 'door', state: isWritten ? 'ended' : 'ended-here' })
  })
}

const onlyHere = (): ProblemPage => ({
  page: 'problem',
  title: say('Ended, and not written yet'),
  text: say(
    'What you ended no longer opens the desk, but the server could not write that down: perhaps the disk is full. The server tries again. Make space before you restart it: otherwise what you ended opens the desk again.',
  ),
})

/**
 * Ends something. Where that cannot be written, the server enforces it all the same, and is told in
 * a header. @returns whether it was written.
 */
async function orInMemory(reply: FastifyReply, id: string, end: () => Promise<unknown>) {
  if (!/^[\w-]{1,2000}$/.test(id))
    throw new DeskProblem(400, say('Which one?'), say('No session was named.'))
  try {
    await end()
    return true
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    reply.header(deskHeaders.unwrittenEnd, id)
    return false
  }
}
