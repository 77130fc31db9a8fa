import type { FastifyInstance } from 'fastify'
import { brakes, type HeldLetters } from '../../shared/held-letters.ts'
import { readSeldom } from '../../shared/read-seldom.ts'
import { deskPaths } from '../contract/pages.ts'
import { fieldsOf } from './fields.ts'
import { type DeskParts, DeskProblem } from './parts.ts'

/** How long a count is reused, since Firestore charges for each look. */
const LOOK_EVERY_MS = { sqlite: 0, firestore: 60_000 } as const

/**
 * `POST /desk/release`: releases letters that are held.
 *
 * @returns a reader of how many are held, by reason.
 */
export function held(
  desk: FastifyInstance,
  { store, storeKind }: Pick<DeskParts, 'store' | 'storeKind'>,
): () => Promise<HeldLetters> {
  const reader = () => readSeldom(() => store.outbox.heldLetters(), LOOK_EVERY_MS[storeKind])
  let read = reader()

  desk.post(deskPaths.release, async (request, reply) => {
    const name = fieldsOf(request.body)('brake')
    const brake = brakes.find((one) => one === name)
    if (!brake)
      throw new DeskProblem(400, 'Nothing was released', 'No letters wait for this reason.')
    await store.outbox.releaseLetters(brake)
    read = reader()
    return reply.redirect(deskPaths.today, 303)
  })

  return () => read()
}
