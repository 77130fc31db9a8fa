import { basename } from 'node:path'
import type { OfferedLanguage } from '../../src/product/languages.ts'
import { outcomes } from '../../src/shared/outcome.ts'
import { site } from '../../src/site/site.ts'

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

/** What a page without script shows of a form is the same as with it, in those states. */
const WITHOUT_SCRIPT = new RegExp(`^(?:open|filled|${outcomes.join('|')})`)

/**
 * Everything that people meet of a page in one language.
 *
 * @param pages files of its further pages. @param letters names of those there are.
 */
export function viewsOf(
  { code, path }: Pick<OfferedLanguage, 'code' | 'path'>,
  pages: readonly string[],
  letters: readonly string[],
): View[] {
  const view = (group: View['group'], name: string, file: string, more: Partial<View> = {}) => ({
    ...{ group, name, language: code, file },
    ...more,
  })
  const built = (file: string) => `${site.public}${path}/${file}`
  const inStates = (group: View['group'], file: string) =>
    Object.entries(states).map(([name, reach]) => view(group, name, file, { reach }))
  const further = pages.filter(
    (file) => file.endsWith('.html') && !WITHOUT_SCRIPT.test(basename(file)),
  )
  return [
    view('Page', 'splash', built(site.firstPage), { isSplash: true }),
    ...inStates('Page', built(site.firstPage)),
    ...inStates('Open page', site.openPage(undefined, path)).filter(
      ({ name }) => !['focus', 'suggestion'].includes(name),
    ),
    ...further.map((file) => view('Further pages', basename(file, '.html'), file)),
    ...letters.map((name) => view('Letters', name, letterFile(name, code))),
    view('Pictures', 'link-preview', built('social.png')),
    view('Pictures', 'link-preview-open', built('social-open.png')),
  ]
}

/** Where a view is, as a visitor of that scheme sees it, with what is to be done there. */
export function pathOf({ file, reach, isSplash }: View, scheme: 'light' | 'dark'): string {
  if (!file.endsWith('.html')) return file.replace(site.public, '')
  const doing = JSON.stringify({ ...reach, isSplash })
  return `/at/${scheme}/${file}?${new URLSearchParams({ doing })}`
}

/** The icons, which are the same in every language. */
export const icons: readonly View[] = [
  'favicon.ico',
  'apple-touch-icon.png',
  'icon-512.png',
  'icon-maskable.png',
].map((file) => ({ group: 'Pictures', name: file, language: '', file: `${site.public}/${file}` }))
