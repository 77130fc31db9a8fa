import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pastedSecret } from '../../keys/desk-tokens.ts'
import { say } from '../../shared/say.ts'
import { linkIn } from '../../store/desk-access.ts'
import { openWithLink, SESSION_MS } from '../access/sessions.ts'
import { deskPaths, type LinkState, linkStatuses } from '../contract/pages.ts'
import { deviceName } from './device-name.ts'
import { fieldsOf } from './fields.ts'
import { type DeskParts, DeskProblem } from './parts.ts'

const LINK = /^[\w-]{65}$/

/** `/desk/<link>`: looking at it uses nothing up; posting its code opens a session. */
export function linkSignIn(desk: FastifyInstance, { store, linkKey, show, cookie }: DeskParts) {
  const path = `${deskPaths.today}/:link`
  const sayAt = (request: FastifyRequest, reply: FastifyReply, state: LinkState) =>
    show(request, reply, { page: 'door', state }, linkStatuses[state])

  desk.get<{ Params: { link: string } }>(path, async (request, reply) => {
    const { by, id } = request.desk
    // An operator with a session needs no link.
    if (by === 'session' && LINK.test(request.params.link))
      return reply.redirect(deskPaths.today, 303)
    if (by !== 'link') return reply.callNotFound()
    const now = Date.now()
    const link = linkIn(await store.desk.read(), id, now)
    const isOver = !link || link.until <= now
    return sayAt(request, reply, link?.isUsed ? 'used' : isOver ? 'too-old' : 'open')
  })

  desk.post(path, async (request, reply) => {
    const { by, id: linkId } = request.desk
    if (by !== 'link') return reply.callNotFound()
    const secret = pastedSecret(fieldsOf(request.body)('code'))
    const device = deviceName(request.headers['user-agent'])
    const use = await openWithLink(store.desk, linkKey, { linkId, secret, device })
    if (use.outcome === 'unknown')
      throw new DeskProblem(404, say('Nothing is here'), say('The desk has no such page.'))
    if (use.outcome !== 'opened') return sayAt(request, reply, use.outcome)
    reply.header('set-cookie', cookie.write(use.token, SESSION_MS / 1000))
    return reply.redirect(deskPaths.today, 303)
  })
}
