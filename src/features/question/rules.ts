import { replyPath } from '../../shared/api.ts'
import type { Extra, FeatureRules, SettingReader } from '../../shared/feature-rules.ts'
import { plainLine } from '../../shared/plain-line.ts'
import { ASKS_NOTHING, askOf, type Product } from '../../shared/product.ts'
import { replyIn } from '../../shared/reply.ts'
import type { Data } from '../../shared/report.ts'

export const question = {
  name: 'question',
  productSetting: {
    findMistakes: findQuestionMistakes,
    findTranslatedMistakes: findTranslatedQuestionMistakes,
  },
  styles: ({ question }: Pick<Product, 'question'>) =>
    question
      ? ['question', question.kind === 'choice' ? 'choices' : 'field'].map(
          (sheet) => `features/question/${sheet}`,
        )
      : [],
  isOn: (_reader: SettingReader, { question }: Pick<Product, 'question'>) => question !== undefined,
  letter: {
    name: 'question',
    option: '--ask',
    given: 'ask',
    path: replyPath,
    button: 'toAnswer',
    textOf: (product: Product) => askOf(product)?.ask,
    without: ASKS_NOTHING,
    note: 'With --ask the letter has the question of the page and a button that leads to it, and goes to those who have not answered. Those who get this letter get later ones as well.',
  },
  announceOptions: {
    '--ask': {
      help: 'send a button to answer the question of the page, to those who have not answered',
      conflicts: ['answered', 'alsoWhoGot'],
    },
  },
  leftOut: { answered: 'answered already' },
  leavesOut: ({ ask }: Data) =>
    ask ? (extra?: Extra) => (replyIn(extra) === undefined ? undefined : 'answered') : undefined,
} as const satisfies FeatureRules

const LONGEST_QUESTION = 90
const LONGEST_CHOICE = 40
const MOST_CHOICES = 8
const kinds = ['choice', 'text', 'postcode']

/** Checks the setting, which came from outside the type system. */
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

/** Checks a translation of it. */
export function findTranslatedQuestionMistakes(first: unknown, here: unknown): string[] {
  if (here === undefined) return ['is missing, and the first language has one']
  if (first === undefined) return ['is here, and the first language has none']
  const { kind, choices } = Object(first) as Record<string, unknown>
  const theirs = Object(here) as Record<string, unknown>
  if (theirs.kind !== kind) return [`kind: must be '${kind}', as in the first language`]
  const [some, of] = [choices, theirs.choices].map((one) => Object(one).length)
  return some === of ? [] : [`choices: has ${of}, the first language has ${some}`]
}
