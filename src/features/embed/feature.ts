import type { Feature } from '../feature.ts'
import command from './command.json' with { type: 'json' }
import { embed as rules } from './rules.ts'

/** Our form on the pages of other sites. */
export const embed: Feature = {
  rules,
  command: { ...command, load: () => import('./command.ts') },
  place: {
    path: '/desk/embed',
    title: 'Your form',
    above: 'today',
    link: 'Your form for another site',
  },
  isDrawn: true,
  load: () => import('./work.ts'),
  server: () => import('./server.ts'),
}
