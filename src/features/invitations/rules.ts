import { parseKept } from '../../keys/kept-key.ts'
import type { FeatureRules } from '../../shared/feature-rules.ts'
import settings from './settings.json' with { type: 'json' }

export const invitations = {
  name: 'invitations',
  settings,
  parsers: { INVITATION_KEY: parseKept },
} satisfies FeatureRules
