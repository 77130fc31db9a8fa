import type { Feature } from '../feature.ts'
import command from './command.json' with { type: 'json' }
import { question as rules } from './rules.ts'

/** The page asks something of those who signed up, and it is counted what they reply. */
export const question: Feature = {
  rules,
  command,
  place: {
    path: '/desk/answers',
    title: 'Answers',
    above: 'people',
    link: 'What they answered to the question of your page',
  },
  load: () => import('./work.ts'),
  server: () => import('./server.ts'),
}
