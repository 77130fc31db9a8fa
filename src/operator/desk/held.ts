import type { FastifyInstance } from 'fastify'
import { deskPaths } from '../../shared/desk-pages.ts'
import { brakes, type HeldLetters } from '../../shared/held-letters.ts'
import { fieldsOf } from './fields.ts'
import { type DeskParts, DeskProblem } from './parts.ts'
import { readSeldom } from './read-seldom.ts'

/** Where each look is paid for, what was seen is believed for a while. */
const LOOK_EVERY_MS = { sqlite: 0, firestore: 60_000 } as const

/**
 * `POST /desk/release`: has letters leave that wait.
 *
 * @returns a reader of how many wait for what.
 */
export function held(
  desk: FastifyInstance,
  { store, storeKind }: Pick<DeskParts, 'store' | 'storeKind'>,
): () => Promise<HeldLetters> {
  const reader = () => readSeldom(() => store.heldLetters(), LOOK_EVERY_MS[storeKind])
  let read = reader()

  desk.post(deskPaths.release, async (request, reply) => {
    const name = fieldsOf(request)('brake')
    const brake = brakes.find((one) => one === name)
    if (!brake) throw new DeskProblem(400, 'Nothing was released', 'No letters wait for that.')
    await store.releaseLetters(brake)
    read = reader()
    return reply.redirect(deskPaths.today, 303)
  })

  return () => read()
}
