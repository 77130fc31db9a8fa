import { say } from '../../shared/say.ts'
/** How a letter says the reader's first name, and what stands there for a reader without one. */
export const FIRST_NAME = '{{first name|there}}'

const LONGEST = 60
const slot = /\{\{first name(?:\|([^{}|\n]*))?\}\}/g
/** As in `slot`, marked so that no Markdown changes it: the digits are what stands there else. */
const mark = /x0firstname0([0-9a-f]*)0x/g
/** A name in an address would tell a stranger's server who reads. */
const inAddress =
  /(?:\]\([^)\s]*|https?:\/\/[^\s)>"']*|(?:href|src)\s*=\s*(?:"[^"]*|'[^']*))\{\{first name/i

/** What is wrong with the slots of a first name in a text. @returns one sentence for each. */
export function firstNameMistakes(text: string): string[] {
  const mistakes: string[] = []
  for (const [all, instead = ''] of text.matchAll(slot))
    if (instead.trim() === '' || instead.trim().length > LONGEST)
      mistakes.push(
        say(
          '{all} must also say what readers without a name get, in up to {most} characters, as {slot} does',
          { all, most: LONGEST, slot: FIRST_NAME },
        ),
      )
  if (inAddress.test(text))
    mistakes.push(say('{slot} cannot stand in the address of a link', { slot: FIRST_NAME }))
  const rest = withoutFirstNames(text).replace(/\{\{[^{}]*\}\}/g, '')
  const [broken] =
    /\{+\s*first[\s_-]*name[^{}\n]*\}*|first[\s_-]*name\s*\|[^{}\n]*\}+/i.exec(rest) ?? []
  if (broken)
    mistakes.push(
      say('"{broken}" is not whole: write {slot}', {
        broken: broken.slice(0, 40),
        slot: FIRST_NAME,
      }),
    )
  return mistakes
}

export const withoutFirstNames = (text: string) => text.replace(slot, '')

/** What readers without a name get in the slots of a text, each once. */
export function insteadOfName(text: string): string[] {
  return [...new Set([...text.matchAll(slot)].map(([, instead = '']) => instead.trim()))]
}

/** The text with marks for its slots, which rendering leaves as they are. */
export function markFirstNames(text: string): string {
  return text.replace(slot, (_all, instead = '') => {
    const digits = Buffer.from(String(instead).trim()).toString('hex')
    return `x0firstname0${digits}0x`
  })
}

/**
 * Puts a name, or what stands there else, in the place of each mark.
 *
 * @param name as `firstNameFrom` gives it. @param asText escapes it for where it stands.
 */
export function putFirstName(
  marked: string,
  name: string | undefined,
  asText = (text: string) => text,
): string {
  return marked.replace(mark, (_all, digits) =>
    asText(name ?? Buffer.from(String(digits), 'hex').toString()),
  )
}
