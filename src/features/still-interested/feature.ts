import type { Feature } from '../feature.ts'
import { stillInterested as rules } from './rules.ts'

/** A letter asks those who have heard nothing for long whether they still want to be told. */
export const stillInterested: Feature = {
  rules,
  load: async () => ({}),
  server: () => import('./server.ts'),
}
