import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { deskTokens } from '../../keys/desk-tokens.ts'
import { say } from '../../shared/say.ts'
import { type DeskAccessState, passkeyOfDevice } from '../../store/desk-access.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { addPasskey, passkeyPlace, passkeyToAdd } from '../access/passkeys.ts'
import { endAccess, endAllSessions } from '../access/sessions.ts'
import { type AccessPage, deskPaths, type ProblemPage } from '../contract/pages.ts'
import { deskHeaders } from '../contract/visitor.ts'
import { deviceName } from './device-name.ts'
import { fieldsOf } from './fields.ts'
import { type DeskParts, DeskProblem } from './parts.ts'
import { answerIn, noPasskeysHere } from './passkey-sign-in.ts'

const DEVICE_S = 365 * 24 * 60 * 60
const notices = ['added', 'not-added', 'ended'] as const

const at = (path = '') => deskPaths.access + path
const done = (notice: (typeof notices)[number]) => `${deskPaths.access}?${notice}`

/** `/desk/access`: the open sessions and the passkeys. */
export function access(desk: FastifyInstance, parts: DeskParts) {
  const { store, publicUrl, show, cookies } = parts
  const deviceOf = devices(parts)

  desk.get(at(), async (request, reply) => {
    const found = await store.desk.read()
    const said = Object.keys(request.query as object)[0]
    return show(request, reply, {
      page: 'access',
      ...shownTo(found, request.desk.id, deviceOf(request, found), Date.now()),
      canAdd: passkeyPlace(publicUrl, request.host) !== undefined,
      notice: notices.find((one) => one === said) ?? null,
    })
  })

  desk.post(at('/end'), async (request, reply) => {
    const id = fieldsOf(request.body)('id')
    const isWritten = await orInMemory(reply, id, () =>
      id === 'all' ? endAllSessions(store.desk) : endAccess(store.desk, id),
    )
    if (id !== 'all' && id !== request.desk.id)
      return isWritten ? reply.redirect(done('ended'), 303) : show(request, reply, onlyHere())
    reply.header('set-cookie', cookies.session.write('', 0))
    return show(request, reply, { page: 'door', state: isWritten ? 'ended' : 'ended-here' })
  })

  passkeys(desk, parts)
}

/** @returns the id of the device that asks, if it has a passkey. */
function devices({ linkKey, cookies }: DeskParts) {
  const tokens = deskTokens(linkKey)
  return ({ headers }: FastifyRequest, found: DeskAccessState) => {
    const id = tokens.idOf('device', cookies.device.read(headers.cookie) ?? '')
    return id ? passkeyOfDevice(found, id)?.deviceId : undefined
  }
}

/** What is shown of the sessions and passkeys, and which are those of who asks. */
function shownTo(
  { sessions, passkeys }: DeskAccessState,
  session: string,
  device: string | undefined,
  now: number,
): Pick<AccessPage, 'sessions' | 'passkeys'> {
  return {
    sessions: sessions
      .filter(({ until }) => until > now)
      .toSorted((a, b) => b.usedAt - a.usedAt)
      .map(({ id, device: name, by, begunAt, usedAt }) => ({
        ...{ id, name, by, begunAt, usedAt },
        isThis: id === session,
      })),
    passkeys: passkeys.map(({ id, name, addedAt, usedAt, deviceId }) => ({
      ...{ id, name, begunAt: addedAt, ...(usedAt && { usedAt }) },
      isThis: deviceId === device,
    })),
  }
}

/** Adding a passkey. */
function passkeys(desk: FastifyInstance, parts: DeskParts) {
  const { store, linkKey, product, publicUrl, cookies } = parts
  const deviceOf = devices(parts)

  desk.post(at('/passkeys/options'), async (request) => {
    const place = passkeyPlace(publicUrl, request.host)
    if (!place) throw noPasskeysHere()
    const device = deviceName(request.headers['user-agent'])
    return passkeyToAdd(store.desk, place, {
      session: request.desk.id,
      product: product.name,
      device,
    })
  })

  desk.post(at('/passkeys'), async (request, reply) => {
    const place = passkeyPlace(publicUrl, request.host)
    if (!place) return reply.redirect(done('not-added'), 303)
    const token = await addPasskey(store.desk, linkKey, place, {
      session: request.desk.id,
      answer: answerIn(fieldsOf(request.body)('answer')),
      name: deviceName(request.headers['user-agent']),
      known: deviceOf(request, await store.desk.read()),
    })
    if (!token) return reply.redirect(done('not-added'), 303)
    reply.header('set-cookie', cookies.device.write(token, DEVICE_S))
    return reply.redirect(done('added'), 303)
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
    throw new DeskProblem(400, say('Which one?'), say('No session or passkey was named.'))
  try {
    await end()
    return true
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    reply.header(deskHeaders.unwrittenEnd, id)
    return false
  }
}
