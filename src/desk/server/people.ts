import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressIds } from '../../keys/address-id.ts'
import { saidNotMe } from '../../people/pending.ts'
import { isOnList, type Person, whyNotMailed } from '../../people/person.ts'
import { signsIn } from '../../people/place-in-line.ts'
import { parseEmail } from '../../shared/email.ts'
import { askOf } from '../../shared/product.ts'
import { say, translated } from '../../shared/say.ts'
import type { PersonListed } from '../../store/people.ts'
import { deskPaths } from '../contract/pages.ts'
import type { PeopleFilter, PeopleFound, PeoplePage, PersonRow } from '../contract/people.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { type DeskParts, DeskProblem } from './parts.ts'
import { filterIn, filterStandings, queryOf, wantedBy } from './people-filter.ts'

const ON_A_PAGE = 50

/**
 * `/desk/people`: the list. The text of a search is in the body of a request, and so is an answer, since
 * a proxy may log paths and queries.
 */
export function people(desk: FastifyInstance, parts: DeskParts) {
  const { product, show } = parts
  const look = searching(parts)
  const asked = askOf(product)
  async function page(
    request: FastifyRequest,
    reply: FastifyReply,
    filter: PeopleFilter,
    fields: Fields,
  ) {
    const after = fields('after')
    const found = await look(filter, after, reply)
    const answer: PeoplePage = {
      page: 'people',
      filter,
      ...found,
      isLater: Boolean(after),
      standings: filterStandings,
      ...(asked && { choices: asked.choices ?? [] }),
    }
    return show(request, reply, answer)
  }

  desk.get(deskPaths.people, (request, reply) => {
    const fields = fieldsOf(request.query)
    // A part of an address in a query is ignored, since it would be logged; so is an answer.
    return page(request, reply, { ...filterIn(fields), text: '', answer: '' }, fields)
  })

  desk.post(deskPaths.people, (request, reply) => {
    const fields = fieldsOf(request.body)
    const filter = filterIn(fields)
    // Without text and answer, all of the filter fits into the page's address.
    if (filter.text === '' && filter.answer === '') {
      const after = fields('after').slice(0, 40)
      return reply.redirect(`${deskPaths.people}${queryOf(filter, { after })}`, 303)
    }
    return page(request, reply, filter, fields)
  })

  desk.post(`${deskPaths.people}/search`, async (request, reply) =>
    reply.send(await look(filterIn(fieldsOf(request.body)), '', reply)),
  )
}

/** @returns what looks for people, for as long as somebody waits for the answer. */
function searching({ store, linkKey, product }: DeskParts) {
  const ids = addressIds(linkKey)

  /** The person of a whole address in the search who is not among the rows. */
  async function besideOf(email: string | undefined, rows: readonly PersonRow[]) {
    if (email === undefined || rows.some((row) => row.email === email)) return null
    const id = ids.of(email)
    const found = await store.people.of(id)
    const how = howBeside(found)
    return how ? { id, email, isListed: isOnList(found), how } : null
  }

  return async (filter: PeopleFilter, after: string, reply: FastifyReply): Promise<PeopleFound> => {
    const signal = whileOpen(reply)
    const wanted = wantedBy(filter, askOf(product)?.kind)
    const { people, found, isMore, next } = await store.people
      .page({ ...wanted, limit: ON_A_PAGE, signal, ...(after && { after }) })
      .catch((error) => {
        // The browser has left: nobody reads an answer, so this is no fault.
        if (signal.aborted) throw new DeskProblem(499, 'Nobody waits', '')
        throw error
      })
    const rows = people.map(rowOf)
    const beside = await besideOf(parseEmail(wanted.part ?? ''), rows)
    return { people: rows, found, isMore, next: next ?? null, beside }
  }
}

/** Why somebody is not among those found; nothing of whom nothing is known. */
function howBeside(found: Person): string | undefined {
  if (isOnList(found)) return say('On the list, but the filter leaves them out.')
  const { pending } = found
  if (pending && !pending.confirmedAt)
    return say('Asked to be told, and {answer}.', {
      answer: saidNotMe(pending) ? say('said that it was not them') : say('has not confirmed'),
    })
  const no = whyNotMailed(found)
  return no && say('Not on the list, and {standing}.', { standing: translated(no.standing) })
}

function rowOf(one: PersonListed): PersonRow {
  const { addressId: id, email, subscribedAt, standing, detail, source } = one
  return {
    id,
    email,
    subscribedAt: subscribedAt.getTime(),
    standing,
    signs: standing === 'quarantined' ? signsIn(detail) : [],
    source: source?.source ?? null,
    isImported: one.isImported ?? false,
  }
}

/** Aborted when the browser has left, as it does when the operator types on. */
function whileOpen({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController()
  raw.once('close', () => left.abort())
  return left.signal
}
