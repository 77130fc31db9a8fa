import { askingTokens } from '../../keys/unsubscribe-token.ts'
import { oneButton } from '../../server/http/one-button.ts'
import type { ServerGiven, ServerPart } from '../feature.ts'
import { stillInterested } from './rules.ts'

/** Takes the yes. */
export function serverPart({ store, linkKey, root }: ServerGiven): ServerPart {
  const { name, path } = stillInterested.letter
  const tokens = askingTokens(linkKey, name)
  const press = store.standings.stayInterested
  return {
    linkRoutes: (app, { language }) =>
      oneButton(app, { page: name, at: path, tokens, press, root, language }),
  }
}
