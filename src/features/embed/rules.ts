import { eachOf } from '../../shared/each-of.ts'
import type { FeatureRules } from '../../shared/feature-rules.ts'
import { parseEmbedOrigin } from './origins.ts'
import settings from './settings.json' with { type: 'json' }

export const embed = {
  name: 'embed',
  settings,
  parsers: {
    /** Each as browsers write it, once. */
    EMBED_ORIGINS: (text: string): readonly string[] | undefined =>
      eachOf(
        text.split(',').map((one) => one.trim()),
        parseEmbedOrigin,
      ),
  },
} satisfies FeatureRules
