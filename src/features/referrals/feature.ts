import type { Feature } from '../feature.ts'
import command from './command.json' with { type: 'json' }
import { referrals as rules } from './rules.ts'

/** Who confirmed gets a personal link, and it is kept whom they refer. */
export const referrals: Feature = {
  rules,
  command,
  place: {
    path: '/desk/referrals',
    title: 'Friends',
    above: 'people',
    link: 'Who referred friends by their personal link',
  },
  hasOrder: true,
  load: () => import('./work.ts'),
  server: () => import('./server.ts'),
}
