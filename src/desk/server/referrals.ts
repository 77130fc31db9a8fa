import type { FastifyInstance } from 'fastify'
import { letFriends } from '../../audience/let-friends.ts'
import { readReferrals } from '../../audience/read-referrals.ts'
import { addressIds } from '../../keys/address-id.ts'
import { reportOfReferrals } from '../../report/makers/referrals.ts'
import { deskPaths } from '../contract/pages.ts'
import { fieldsOf } from './fields.ts'
import { type DeskParts, DeskProblem } from './parts.ts'
import { reportPage } from './report-page.ts'

/** `/desk/referrals`: who referred whom, as the command `referrals` counts it; a post lets a day count. */
export function referrals(desk: FastifyInstance, parts: DeskParts) {
  const { store, linkKey, settings } = parts
  const { of } = addressIds(linkKey)
  const isOn = settings.referrals
  const make = async () =>
    reportOfReferrals((await readReferrals(store, of)).counts, isOn, new Date())
  const again = reportPage(desk, parts, 'referrals', make)

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
    again()
    return reply.redirect(deskPaths.referrals, 303)
  })
}
