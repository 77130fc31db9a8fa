import { urlIn } from '../shared/api.ts'
import type { LetterThatAsks } from '../shared/feature-rules.ts'
import { askingTokens, type LinkTokens } from './unsubscribe-token.ts'

/** Where the button of a letter that asks leads: to its URL, with a reader's token behind a slash. */
export interface AskingButton {
  readonly url: string
  readonly tokens: LinkTokens
}

/**
 * The button of a letter. Its page is beside the one that unsubscribe links lead to.
 *
 * @param linkKey the secret `LINK_KEY`. @param path of the language, such as `/de`.
 */
export function askingButton(
  { name, path: page }: Pick<LetterThatAsks, 'name' | 'path'>,
  { unsubscribeUrl, linkKey }: { readonly unsubscribeUrl: string; readonly linkKey: Buffer },
  path: string,
): AskingButton {
  const url = urlIn(unsubscribeUrl, path).replace(/\/[^/]*$/, page)
  return { url, tokens: askingTokens(linkKey, name) }
}
