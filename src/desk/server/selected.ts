import type { FastifyInstance } from 'fastify'
import { deskPaths } from '../contract/pages.ts'
import { fieldsOf } from './fields.ts'
import type { DeskParts } from './parts.ts'
import { filterIn, queryOf } from './people-filter.ts'
import { erasedWords, staysWords } from './people-words.ts'

const MOST = 50

/**
 * Releases or erases the selected ones of the quarantine, as `quarantine --release` and `--erase`
 * do.
 */
export function selected(desk: FastifyInstance, { store, show }: DeskParts) {
  desk.post(`${deskPaths.people}/selected`, async (request, reply) => {
    const fields = fieldsOf(request.body)
    const ids = fields.all('id').slice(0, MOST)
    const end = fields('end')
    const found = await Promise.all(
      ids.map(async (id) => ({ id, email: (await store.people.of(id)).email })),
    )
    const people = found.flatMap(({ id, email }) => (email === undefined ? [] : { id, email }))
    const emails = people.map(({ email }) => email)
    if (end === 'erase' && people.length > 0)
      return show(request, reply, {
        page: 'forget',
        people,
        isQuarantine: true,
        erased: erasedWords,
        stays: staysWords,
      })
    const isErasing = end === 'erase-sure'
    const isKnown = isErasing || end === 'release'
    const ended = !isKnown
      ? []
      : isErasing
        ? await store.quarantine.erase(emails)
        : await store.quarantine.release(emails)
    const filter = { ...filterIn(fieldsOf({})), standing: 'quarantined' }
    const [n, of] = [String(ended.length), String(isKnown ? ids.length : 0)]
    const query = queryOf(filter, { done: isErasing ? 'erased' : 'released', n, of })
    return reply.redirect(`${deskPaths.people}${query}`, 303)
  })
}
