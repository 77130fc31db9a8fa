import type { FastifyInstance } from 'fastify'
import { letFriends } from '../../audience/let-friends.ts'
import { readReferrals } from '../../audience/read-referrals.ts'
import { addressIds } from '../../keys/address-id.ts'
import { readSeldom } from '../../shared/read-seldom.ts'
import { deskPaths } from '../contract/pages.ts'
import { fieldsOf } from './fields.ts'
import { type DeskParts, DeskProblem } from './parts.ts'

/** `/desk/referrals`: who brought whom, as the command `referrals` counts it; a post lets a day count. */
export function referrals(desk: FastifyInstance, { store, linkKey, show }: DeskParts) {
  const { of } = addressIds(linkKey)
  const reader = () => readSeldom(async () => (await readReferrals(store, of)).counts)
  let counts = reader()

  desk.get(deskPaths.referrals, async (request, reply) =>
    show(request, reply, { page: 'referrals', counts: await counts() }),
  )

  desk.post(deskPaths.referrals, async (request, reply) => {
    const fields = fieldsOf(request.body)
    const { days, isTodayHeld } = await letFriends(store, of, fields('email'), fields('day'))
    if (days.length === 0)
      throw new DeskProblem(
        400,
        'Nothing was changed',
        isTodayHeld
          ? 'That day (in UTC) is not over, and more friends may come. Let them count tomorrow.'
          : 'No friends of that day are held any more.',
      )
    counts = reader()
    return reply.redirect(deskPaths.referrals, 303)
  })
}
