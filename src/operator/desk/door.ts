import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { deskCookies } from '../../shared/desk-cookies.ts'
import { type DoorPage, deskPaths } from '../../shared/desk-pages.ts'
import { linkIn } from '../../store/desk-access.ts'
import { openWithLink, SESSION_MS } from './access.ts'
import { deviceName } from './device-name.ts'
import { type DeskParts, DeskProblem } from './parts.ts'

const statuses: Readonly<Record<DoorPage['state'], number>> = {
  open: 200,
  'wrong-code': 403,
  used: 410,
  'too-old': 410,
}

interface DoorParts extends DeskParts {
  readonly cookies: ReturnType<typeof deskCookies>
}

/** `/desk/<link>`: to look at it burns nothing, to post its code opens a session. */
export async function door(desk: FastifyInstance, { store, linkKey, show, cookies }: DoorParts) {
  const path = `${deskPaths.today}/:link`
  const sayAt = (request: FastifyRequest, reply: FastifyReply, state: DoorPage['state']) =>
    show(request, reply, { page: 'door', state }, statuses[state])

  desk.get(path, async (request, reply) => {
    const { by, id } = request.desk
    if (by !== 'link') return reply.callNotFound()
    const now = Date.now()
    const link = linkIn(await store.deskAccess(), id, now)
    const isOver = !link || link.until <= now
    return sayAt(request, reply, link?.isUsed ? 'used' : isOver ? 'too-old' : 'open')
  })

  desk.post(path, async (request, reply) => {
    const { by, id: linkId } = request.desk
    if (by !== 'link') return reply.callNotFound()
    const { code } = (request.body ?? {}) as { code?: unknown }
    const secret = typeof code === 'string' ? code.trim().replace(/^.*#/, '') : ''
    const device = deviceName(request.headers['user-agent'])
    const use = await openWithLink(store, linkKey, { linkId, secret, device })
    if (use.outcome === 'unknown') throw new DeskProblem(404, 'Nothing is here', '')
    if (use.outcome !== 'opened') return sayAt(request, reply, use.outcome)
    reply.header('set-cookie', cookies.session.write(use.token, SESSION_MS / 1000))
    return reply.redirect(deskPaths.today, 303)
  })
}
