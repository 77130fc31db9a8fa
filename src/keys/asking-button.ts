import { answerPath, stillInterestedPath, urlIn } from '../shared/api.ts'
import type { AskedByLetter } from '../shared/asked-by-letter.ts'
import { type LinkTokens, questionTokens, stillInterestedTokens } from './unsubscribe-token.ts'

/** Where the button of a letter that asks leads: to its URL, with a reader's token behind a slash. */
export interface AskingButton {
  readonly url: string
  readonly tokens: LinkTokens
}

const buttons = {
  'still-interested': [stillInterestedPath, stillInterestedTokens],
  question: [answerPath, questionTokens],
} as const

/**
 * The button of a letter. Its page is beside the one that unsubscribe links lead to.
 *
 * @param linkKey the secret `LINK_KEY`. @param path of the language, such as `/de`.
 */
export function askingButton(
  asks: AskedByLetter,
  { unsubscribeUrl, linkKey }: { readonly unsubscribeUrl: string; readonly linkKey: Buffer },
  path: string,
): AskingButton {
  const [page, tokens] = buttons[asks]
  return { url: urlIn(unsubscribeUrl.replace(/\/[^/]*$/, page), path), tokens: tokens(linkKey) }
}
