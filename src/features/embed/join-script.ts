import type { Words } from '../../shared/sentences.ts'
import { joinPaths } from './paths.ts'

/** What a form on another site says in place: the thanks with what follows, as on the page. */
export function thanksOf(words: Words, confirm: boolean): string {
  return confirm ? `${words.subscribed} ${words.letterSent}` : words.subscribed
}

/**
 * The script for the forms of one language on other sites, before it is minified. It has the words,
 * so that it asks for nothing.
 *
 * @param enhance the source of the function, with those that it calls.
 * @param path of the language, such as `/de`.
 * @param confirm whether visitors are sent a letter. @param ask the question of the page, if it asks then.
 */
export function joinScript(
  enhance: string,
  words: Words,
  {
    path,
    confirm,
    ask,
  }: { readonly path: string; readonly confirm: boolean; readonly ask?: string | undefined },
): string {
  const { submitting, invalidEmail, databaseUnavailable, failed } = words
  const errors = [invalidEmail, databaseUnavailable, failed]
  const said = [submitting, thanksOf(words, confirm), ...errors, ...(ask ? [ask] : [])]
  const given = `${JSON.stringify(path + joinPaths.join)},${JSON.stringify(said)}`
  return `(()=>{${enhance}\nenhance(${given})})()`
}
