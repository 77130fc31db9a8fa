import type { Feature } from '../feature.ts'
import command from './command.json' with { type: 'json' }
import { invitations as rules } from './rules.ts'

/** A letter has a code for its reader alone, which the product verifies by itself. */
export const invitations: Feature = {
  rules,
  command: { ...command, load: () => import('./command.ts') },
  hasCodes: true,
  load: () => import('./work.ts'),
}
