import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { deskTokens } from '../../keys/desk-tokens.ts'
import { plainLine } from '../../shared/plain-line.ts'
import { type DeskAccessState, passkeyOfDevice } from '../../store/desk-access.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import {
  addPasskey,
  passkeyPlace,
  passkeyToAdd,
  removePasskey,
  renamePasskey,
} from '../access/passkeys.ts'
import { endAllSessions, endSession } from '../access/sessions.ts'
import { type AccessPage, deskPaths, type ProblemPage } from '../contract/pages.ts'
import { deskHeaders } from '../contract/visitor.ts'
import { deviceName } from './device-name.ts'
import { fieldsOf } from './fields.ts'
import { type DeskParts, DeskProblem } from './parts.ts'
import { answerIn, noPasskeysHere } from './passkey-sign-in.ts'

const DEVICE_S = 365 * 24 * 60 * 60
const LONGEST_NAME = 40
const notices = ['added', 'not-added', 'removed', 'renamed', 'ended'] as const

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
    const session = fieldsOf(request.body)('session')
    const isWritten = await orInMemory(reply, session, () =>
      session === 'all' ? endAllSessions(store.desk) : endSession(store.desk, session),
    )
    if (session !== 'all' && session !== request.desk.id)
      return isWritten ? reply.redirect(done('ended'), 303) : show(request, reply, onlyHere)
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
      .map(({ until: _, passkey: __, ...one }) => ({ ...one, isThis: one.id === session }))
      .toSorted((a, b) => b.usedAt - a.usedAt),
    passkeys: passkeys.map(({ id, name, addedAt, usedAt = null, deviceId }) => ({
      id,
      name,
      addedAt,
      usedAt,
      isThis: deviceId === device,
    })),
  }
}

/** Adding, naming and removing passkeys. */
function passkeys(desk: FastifyInstance, parts: DeskParts) {
  const { store, linkKey, product, publicUrl, show, cookies } = parts
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
      name: nameIn(request) || deviceName(request.headers['user-agent']),
      known: deviceOf(request, await store.desk.read()),
    })
    if (!token) return reply.redirect(done('not-added'), 303)
    reply.header('set-cookie', cookies.device.write(token, DEVICE_S))
    return reply.redirect(done('added'), 303)
  })

  desk.post(at('/passkeys/rename'), async (request, reply) => {
    const name = nameIn(request)
    if (!name) throw new DeskProblem(422, 'It needs a name', 'Go back, and give it one.')
    await renamePasskey(store.desk, fieldsOf(request.body)('passkey'), name)
    return reply.redirect(done('renamed'), 303)
  })

  desk.post(at('/passkeys/remove'), async (request, reply) => {
    const passkey = fieldsOf(request.body)('passkey')
    const isWritten = await orInMemory(reply, passkey, () => removePasskey(store.desk, passkey))
    return isWritten ? reply.redirect(done('removed'), 303) : show(request, reply, onlyHere)
  })
}

const onlyHere: ProblemPage = {
  page: 'problem',
  title: 'Ended, and not written yet',
  text: 'What you ended no longer opens the desk, but the server could not write that down: perhaps the disk is full. The server tries again. Make space before you restart it: otherwise what you ended opens the desk again.',
}

/**
 * Ends something. Where that cannot be written, the server enforces it all the same, and is told in
 * a header. @returns whether it was written.
 */
async function orInMemory(reply: FastifyReply, id: string, end: () => Promise<unknown>) {
  if (!/^[\w-]{1,2000}$/.test(id))
    throw new DeskProblem(400, 'Which one?', 'No session or passkey was named.')
  try {
    await end()
    return true
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    reply.header(deskHeaders.unwrittenEnd, id)
    return false
  }
}

const nameIn = (request: FastifyRequest) => plainLine(fieldsOf(request.body)('name'), LONGEST_NAME)
