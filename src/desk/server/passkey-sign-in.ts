import type { FastifyInstance, FastifyRequest } from 'fastify'
import { say } from '../../shared/say.ts'
import { openWithPasskey, passkeyPlace, passkeyToShow } from '../access/passkeys.ts'
import { SESSION_MS } from '../access/sessions.ts'
import { deskPaths } from '../contract/pages.ts'
import { deviceName } from './device-name.ts'
import { fieldsOf } from './fields.ts'
import { type DeskParts, DeskProblem } from './parts.ts'

export const noPasskeysHere = () =>
  new DeskProblem(
    409,
    say('No passkeys here'),
    say(
      'Passkeys need https. On the server’s own machine, a desk at http://localhost has them too.',
    ),
  )

/** How a device with a passkey comes back without a link. */
export function passkeySignIn(desk: FastifyInstance, parts: DeskParts) {
  const { store, linkKey, publicUrl, show, cookies } = parts

  function placeOf({ host }: FastifyRequest) {
    const place = passkeyPlace(publicUrl, host)
    if (!place) throw noPasskeysHere()
    return place
  }

  // A device with a passkey has to sign in before any page.
  desk.addHook('onRequest', async (request, reply) => {
    if (request.desk.by !== 'device' || request.method === 'POST') return
    return show(request, reply, { page: 'door', state: 'sign-in' })
  })

  desk.post(`${deskPaths.signIn}/options`, async (request, reply) => {
    const { by, id } = request.desk
    if (by !== 'device') return reply.callNotFound()
    return passkeyToShow(store.desk, placeOf(request), id)
  })

  desk.post(deskPaths.signIn, async (request, reply) => {
    const { by, id: device } = request.desk
    if (by !== 'device') return reply.callNotFound()
    const called = deviceName(request.headers['user-agent'])
    const given = { device, answer: answerIn(fieldsOf(request.body)('answer')), called }
    const token = await openWithPasskey(store.desk, linkKey, placeOf(request), given)
    if (!token) return show(request, reply, { page: 'door', state: 'not-accepted' }, 403)
    reply.header('set-cookie', cookies.session.write(token, SESSION_MS / 1000))
    return reply.redirect(deskPaths.today, 303)
  })
}

/** The answer of an authenticator, as the page's script puts it into a form. */
export function answerIn(field: string): unknown {
  try {
    return JSON.parse(field)
  } catch {
    throw new DeskProblem(
      400,
      say('That was no passkey'),
      say('The browser sent something else. Try again.'),
    )
  }
}
