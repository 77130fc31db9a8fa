import type { FastifyInstance } from 'fastify'
import { deskPaths } from '../../shared/desk-pages.ts'
import type { DeskParts } from './parts.ts'
import { filterIn, queryOf } from './people-filter.ts'
import { erasedWords, staysWords } from './people-words.ts'

const MOST = 50

/** What is done to the selected ones of the quarantine, as `quarantine --release` and `--erase` do it. */
export function selected(desk: FastifyInstance, { store, show }: DeskParts) {
  desk.post(`${deskPaths.people}/selected`, async (request, reply) => {
    const fields = (request.body ?? {}) as Record<string, unknown>
    const ids = [fields.id ?? []]
      .flat()
      .filter((id) => typeof id === 'string')
      .slice(0, MOST)
    const found = await Promise.all(
      ids.map(async (id) => ({ id, email: await store.addressOf(id) })),
    )
    const people = found.flatMap(({ id, email }) => (email === undefined ? [] : { id, email }))
    const emails = people.map(({ email }) => email)
    if (fields.end === 'erase' && people.length > 0)
      return show(request, reply, {
        ...{ page: 'forget', people, isQuarantine: true },
        ...{ erased: erasedWords, stays: staysWords },
      })
    const isErasing = fields.end === 'erase-sure'
    const isKnown = isErasing || fields.end === 'release'
    const ended = !isKnown
      ? []
      : isErasing
        ? await store.eraseQuarantined(emails)
        : await store.releaseQuarantined(emails)
    const filter = { ...filterIn({}), standing: 'quarantined' }
    const [n, of] = [String(ended.length), String(isKnown ? ids.length : 0)]
    const query = queryOf(filter, { done: isErasing ? 'erased' : 'released', n, of })
    return reply.redirect(`${deskPaths.people}${query}`, 303)
  })
}
