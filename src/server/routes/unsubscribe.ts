import type { FastifyInstance } from 'fastify'
import { unsubscribeTokens } from '../../keys/unsubscribe-token.ts'
import { paths } from '../../shared/api.ts'
import type { Standings } from '../../store/store.ts'
import type { BuiltLanguage } from '../http/built-languages.ts'
import { oneButton } from '../http/one-button.ts'

interface UnsubscribeOptions {
  readonly suppressions: Pick<Standings, 'unsubscribe'>
  readonly linkKey: Buffer
  readonly root: string
  readonly language: Pick<BuiltLanguage, 'path'>
}

/** The link at the foot of every letter. */
export const unsubscribeRoutes = (
  app: FastifyInstance,
  { suppressions, linkKey, root, language }: UnsubscribeOptions,
) =>
  oneButton(app, {
    ...{ page: 'unsubscribe', at: paths.unsubscribe, root, language },
    tokens: unsubscribeTokens(linkKey),
    press: suppressions.unsubscribe,
  })
