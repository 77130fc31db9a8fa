import { plainLine } from './plain-line.ts'

/** What the page asks after a sign-up, in one language. */
export interface Question {
  readonly ask: string
  readonly kind: 'choice' | 'text' | 'postcode'
  /** The answers to choose from, for the kind `choice`. */
  readonly choices?: readonly string[]
}

/** The most characters of an answer. */
export const LONGEST_ANSWER = 200
const LONGEST_QUESTION = 90
const LONGEST_CHOICE = 40
const MOST_CHOICES = 8
const kinds = ['choice', 'text', 'postcode']

/**
 * Checks the setting `question` of a product, which came from outside the type system.
 *
 * @returns one sentence a mistake, without the name of the setting.
 */
export function findQuestionMistakes(question: unknown): string[] {
  const { ask, kind, choices, ...others } = Object(question) as Record<string, unknown>
  if (typeof ask !== 'string' || !kinds.includes(String(kind)) || Object.keys(others).length > 0)
    return ["must be like { ask: 'Where do you live?', kind: 'text' }, 'postcode' or 'choice'"]
  const wrong = findLineMistake(ask, LONGEST_QUESTION)
  if (wrong) return [`ask: ${wrong}`]
  if (kind !== 'choice') return choices === undefined ? [] : ["choices: needs kind: 'choice'"]
  if (!Array.isArray(choices) || choices.length < 2 || choices.length > MOST_CHOICES)
    return [`choices: must be 2 to ${MOST_CHOICES} texts, such as ['Yes', 'No']`]
  if (new Set(choices).size < choices.length) return ['choices: has the same one twice']
  return choices.flatMap((choice) => {
    const wrong = findLineMistake(choice, LONGEST_CHOICE)
    return wrong ? [`choices: "${String(choice)}": ${wrong}`] : []
  })
}

function findLineMistake(text: unknown, most: number): string | undefined {
  if (typeof text !== 'string' || text === '') return 'must be a text in quotes'
  if (plainLine(text, most + 1) !== text) return 'must be one line of plain text'
  return text.length > most ? `has ${text.length} characters, ${most} fit` : undefined
}

/** Checks a translation of a question. @returns as `findQuestionMistakes`. */
export function findTranslatedQuestionMistakes(first: unknown, here: unknown): string[] {
  if (here === undefined) return ['is missing, and the first language has one']
  if (first === undefined) return ['is here, and the first language has none']
  const { kind, choices } = Object(first) as Record<string, unknown>
  const theirs = Object(here) as Record<string, unknown>
  if (theirs.kind !== kind) return [`kind: must be '${kind}', as in the first language`]
  const [some, of] = [choices, theirs.choices].map((one) => Object(one).length)
  return some === of ? [] : [`choices: has ${of}, the first language has ${some}`]
}

/**
 * An answer as it is kept: one line; a postcode in capitals; a choice as the first language has it, so
 * that the same answer in two languages counts as one.
 *
 * @param asked the question in the visitor's language. @param first the same in the first language.
 * @returns nothing for what is no answer to it.
 */
export function readAnswer(said: unknown, asked: Question, first: Question): string | undefined {
  if (typeof said !== 'string') return undefined
  const line = plainLine(said, LONGEST_ANSWER + 1)
  if (asked.kind === 'choice') return first.choices?.[asked.choices?.indexOf(line) ?? -1]
  if (line === '' || line.length > LONGEST_ANSWER) return undefined
  if (asked.kind === 'text') return line
  const code = line.normalize('NFKC').toUpperCase()
  return /^[\p{L}\p{N}][\p{L}\p{N} -]{1,11}$/u.test(code) ? code : undefined
}

/**
 * Whether an answer is the one that is looked for: of a postcode its beginning, of another the whole
 * answer, in any case.
 */
export function isAnswer(
  answer: string,
  wanted: string,
  kind: Question['kind'] | undefined,
): boolean {
  const [theirs, ours] = [answer, wanted].map((text) => text.normalize('NFKC').trim().toLowerCase())
  return kind === 'postcode' ? !!theirs?.startsWith(ours ?? '') : theirs === ours
}
