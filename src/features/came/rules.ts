import { parseKey } from '../../keys/link-key.ts'
import type { Extra, FeatureRules } from '../../shared/feature-rules.ts'
import { storedTime } from '../../shared/stored-json.ts'
import settings from './settings.json' with { type: 'json' }

/** Those on the list who became users are found under it. */
export const CAME = 'came'

/** When somebody on the list became a user of the product. */
export const cameIn = (extra: Extra | undefined): Date | undefined => storedTime(extra?.came)

/** The field that `cameIn` reads. */
export const cameAt = (at: Date): Extra => ({ came: at.toISOString() })

export const came = {
  name: 'came',
  settings,
  parsers: { ACCOUNTS_KEY: parseKey },
  fields: { came: { term: 'became a user', read: cameIn, tag: CAME } },
  leftOut: { came: 'came to the product already' },
  announceOptions: {
    '--not-came': 'leave out those who are users already, as "came" shows them',
  },
  leavesOut: ({ notCame }) => (notCame ? (extra) => cameIn(extra) && 'came' : undefined),
} satisfies FeatureRules
