import { basename } from 'node:path'
import type { OfferedLanguage } from '../../src/product/languages.ts'
import { outcomes } from '../../src/shared/outcome.ts'
import { site } from '../../src/site/site.ts'
import states from './states.json' with { type: 'json' }

/** One thing that people meet, as the preview shows it and `npm run screenshots` takes it. */
export interface View {
  readonly group: 'Page' | 'Open page' | 'Further pages' | 'Letters' | 'Pictures'
  readonly name: string
  /** Of the language; empty for a picture of all. */
  readonly language: string
  /** Of its file in the folder that `make.ts` fills, and what is done there, below `at/light/`. */
  readonly path: string
}

/** What a visitor does on the page until it is in a state. */
export interface Reach {
  readonly focus?: boolean
  readonly type?: string
  readonly submit?: boolean
  /** It stays as it is before an answer. */
  readonly isWaiting?: boolean
  /** The splash is played, not passed. */
  readonly isSplash?: boolean
}

/** How the preview's own backend answers an address, by the part before the at; never where it says 0. */
export const ANSWERS: Readonly<Record<string, number>> = {
  unavailable: 503,
  failed: 429,
  waiting: 0,
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
  const view = (group: View['group'], name: string, file: string, reach?: Reach): View => ({
    ...{ group, name, language: code },
    path: reach ? `${file}?${new URLSearchParams({ doing: JSON.stringify(reach) })}` : file,
  })
  const built = (file: string) => `${path}/${file}`.slice(1)
  const inStates = (group: View['group'], file: string, without: readonly string[] = []) =>
    Object.entries(states)
      .filter(([name]) => !without.includes(name))
      .map(([name, reach]) => view(group, name, file, reach))
  const further = pages.filter(
    (file) => file.endsWith('.html') && !WITHOUT_SCRIPT.test(basename(file)),
  )
  return [
    view('Page', 'splash', built(site.firstPage), { isSplash: true }),
    ...inStates('Page', built(site.firstPage)),
    ...inStates('Open page', site.openPage(undefined, path), ['focus', 'suggestion']),
    ...further.map((file) => view('Further pages', basename(file, '.html'), file)),
    ...letters.map((name) => view('Letters', name, letterFile(name, code))),
    view('Pictures', 'link-preview', built('social.png')),
    view('Pictures', 'link-preview-open', built('social-open.png')),
  ]
}

/** The icons, which are the same in every language. */
export const icons: readonly View[] = [
  'favicon.ico',
  'apple-touch-icon.png',
  'icon-512.png',
  'icon-maskable.png',
].map((path) => ({ group: 'Pictures', name: path, language: '', path }))
