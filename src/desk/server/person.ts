import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { whyNotMailed } from '../../people/person.ts'
import { reportOfPerson } from '../../report/makers/person.ts'
import { say } from '../../shared/say.ts'
import { type Person, personOf } from '../../store/person.ts'
import { deskPaths } from '../contract/pages.ts'
import { places } from '../contract/places.ts'
import { type DeskParts, DeskProblem } from './parts.ts'
import { type Deed, deedIn, forgottenWords, personNote } from './people-words.ts'

interface PersonRequest {
  Params: { id: string }
  Querystring: Record<string, unknown>
}

type Asked = FastifyRequest<PersonRequest>

const PATH = `${deskPaths.people}/:id`

/**
 * `/desk/people/<id>`: all that is known of one person, and the actions. The id is that of the
 * address, which reveals it only to the holder of the key. An action that is sent twice is done
 * once.
 */
export function person(desk: FastifyInstance, parts: DeskParts) {
  const { store, show } = parts
  /** What is left of a forgotten person: that there was one, and when they were forgotten. */
  async function showForgotten(request: Asked, reply: FastifyReply, isDone: boolean) {
    const at = (await forgottenAt(parts, request.params.id)) ?? new Date()
    const title = isDone ? say('They are forgotten') : say('This person was forgotten')
    const notes = [{ code: 'forgotten', text: say(forgottenWords), at: at.toISOString() }]
    const report = { title, parts: [{ part: 'notes', notes }] } as const
    return show(request, reply, { page: 'report', report, above: places.people })
  }

  /** Does something to a person, and shows their standing afterwards. */
  function action(word: string, deed: Deed, act: (person: Person) => Promise<unknown>) {
    desk.post<PersonRequest>(`${PATH}/${word}`, async (request, reply) => {
      const { id } = request.params
      const found = await find(parts, id)
      if (found) await act(found)
      return reply.redirect(`${deskPaths.people}/${id}?done=${deed}`, 303)
    })
  }

  desk.get<PersonRequest>(PATH, async (request, reply) => {
    const deed = deedIn(request.query.done)
    const found = await find(parts, request.params.id)
    if (!found) return showForgotten(request, reply, deed === 'forgotten')
    return show(request, reply, {
      page: 'report',
      report: reportOfPerson(found),
      above: places.people,
      done: personNote(deed, found.standing?.standing ?? 'subscribed'),
    })
  })

  action('unsubscribe', 'unsubscribed', async ({ email, standing }) => {
    // A second press would only change the time.
    if (standing?.standing === 'unsubscribed') return
    await store.standings.set([{ email, standing: 'unsubscribed' }])
  })
  action('release', 'released', ({ email }) => store.quarantine.release([email]))
  action('forget', 'forgotten', ({ email }) => store.standings.forget(email))
}

/** @throws DeskProblem for an unknown id. @returns nothing for a forgotten person. */
async function find({ store, linkKey }: DeskParts, id: string): Promise<Person | undefined> {
  const { email } = await store.people.of(id)
  const found = email === undefined ? undefined : await personOf(store, email, linkKey)
  if (found && found.standing?.standing !== 'forgotten') return found
  if (await forgottenAt({ store }, id)) return undefined
  throw new DeskProblem(
    404,
    say('Nobody is here'),
    say('This page belongs to nobody on the list. Perhaps its address was copied in part.'),
  )
}

async function forgottenAt({ store }: Pick<DeskParts, 'store'>, id: string) {
  const no = whyNotMailed(await store.people.of(id))
  return no?.standing === 'forgotten' ? no.at : undefined
}
