import { grpc } from './outage.ts'

/** The id is random: what is there already came with an attempt whose answer was lost. */
export function unlessKept(error: { code?: number }): void {
  if (error.code !== grpc.alreadyExists) throw error
}
