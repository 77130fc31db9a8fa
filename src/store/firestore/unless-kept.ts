import { grpc } from './outage.ts'

/**
 * Ignores an existing document: its id is random, so an earlier attempt, whose answer was lost,
 * made it.
 */
export function unlessKept(error: { code?: number }): void {
  if (error.code !== grpc.alreadyExists) throw error
}
