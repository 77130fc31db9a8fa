import type { OfferedLanguage } from '../../src/product/languages.ts'
import {
  answerPageSteps,
  confirmAnswerSteps,
  confirmPageSteps,
  oneButtonPages,
  oneButtonSteps,
  site,
} from '../../src/site/site.ts'

/** One thing that people meet, as the preview shows it and `npm run screenshots` takes it. */
export interface View {
  readonly group: 'Page' | 'Open page' | 'Further pages' | 'Letters' | 'Pictures'
  readonly name: string
  /** Of the language; empty for a picture of all. */
  readonly language: string
  /** In the folder that `make.ts` fills. */
  readonly file: string
  /** A page that takes a form: what is done on it. Without it, a page is shown as it is. */
  readonly reach?: Reach
  /** The splash is played, not passed. */
  readonly isSplash?: boolean
}

/** What a visitor does on the page until it is in a state. */
export interface Reach {
  readonly focus?: boolean
  readonly type?: string
  readonly submit?: boolean
  /** It stays as it is before an answer. */
  readonly isWaiting?: boolean
}

/** How the preview's own backend answers an address: by the part before the at. */
export const ANSWERS: Readonly<Record<string, number>> = {
  ada: 201,
  unavailable: 503,
  failed: 429,
}
/** The address that is never answered. */
export const UNANSWERED = 'waiting'

/** What the visitor's page can be brought to. */
const states: Readonly<Record<string, Reach>> = {
  idle: {},
  focus: { focus: true },
  suggestion: { type: 'ada@gmial.com' },
  loading: { type: `${UNANSWERED}@example.com`, submit: true, isWaiting: true },
  success: { type: 'ada@example.com', submit: true },
  'error-invalid': { type: 'ada@example', submit: true },
  'error-database': { type: 'unavailable@example.com', submit: true },
  'error-failed': { type: 'failed@example.com', submit: true },
}

/** The files of letters, beside those of the build. */
export const letterFile = (name: string, code: string) => `letters/${name}.${code}.html`

/** Everything that people meet of a page in one language. @param letters names of those there are. */
export function viewsOf(
  { code, path, product }: OfferedLanguage,
  letters: readonly string[],
): View[] {
  const language = code
  const first = `${site.public}${path}/${site.firstPage}`
  const page = (group: View['group'], file: string): View[] =>
    Object.entries(states).map(([name, reach]) => ({ group, name, language, file, reach }))
  const further = {
    ...Object.fromEntries(
      [...confirmPageSteps, ...(product.question ? confirmAnswerSteps : [])].map((step) => [
        `confirm-${step}`,
        site.confirmPage(step, path),
      ]),
    ),
    ...Object.fromEntries(
      oneButtonPages.flatMap((page) =>
        oneButtonSteps.map((step) => [`${page}-${step}`, site.oneButtonPage(page, step, path)]),
      ),
    ),
    ...Object.fromEntries(
      (product.question ? answerPageSteps : []).map((step) => [
        `answer-${step}`,
        site.answerPage(step, path),
      ]),
    ),
    'not-found': `${site.public}${path}/${site.notFoundPage}`,
  }
  const pictures = { 'link-preview': 'social.png', 'link-preview-open': 'social-open.png' }
  return [
    { group: 'Page', name: 'splash', language, file: first, isSplash: true },
    ...page('Page', first),
    ...page('Open page', site.openPage(undefined, path)).filter(
      ({ name }) => !['focus', 'suggestion'].includes(name),
    ),
    ...Object.entries(further).map(
      ([name, file]) => ({ group: 'Further pages', name, language, file }) as const,
    ),
    ...letters.map(
      (name) => ({ group: 'Letters', name, language, file: letterFile(name, code) }) as const,
    ),
    ...Object.entries(pictures).map(
      ([name, file]) =>
        ({ group: 'Pictures', name, language, file: `${site.public}${path}/${file}` }) as const,
    ),
  ]
}

/** The icons, which are the same in every language. */
export const icons: readonly View[] = [
  ...['favicon.ico', 'apple-touch-icon.png', 'icon-512.png', 'icon-maskable.png'],
].map((file) => ({ group: 'Pictures', name: file, language: '', file: `${site.public}/${file}` }))
