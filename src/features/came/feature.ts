import type { Feature } from '../feature.ts'
import command from './command.json' with { type: 'json' }
import { came as rules } from './rules.ts'

/** The product's server, or a file, says who became its user, and it is kept of those on the list. */
export const came: Feature = {
  rules,
  command: { ...command, load: () => import('./command.ts') },
  place: {
    path: '/desk/came',
    title: 'Who became a user',
    above: 'letters',
    link: 'Which of those who were told became users',
  },
  load: () => import('./work.ts'),
  server: () => import('./server.ts'),
}
