import { renderToString } from 'react-dom/server'
import type { Outcome } from '../shared/outcome.ts'
import { type ConfirmPageStep, OPEN_URL_SLOT, typedSlots } from '../site/site.ts'
import { type PageLanguage, type PageWords, pageWordsOf } from '../words/page-words.ts'
import { phrased } from '../words/phrases.ts'
import { toWordList } from '../words/word-list.ts'
import { Confirm } from './confirm.tsx'
import { fetchAfter } from './fetch-after.ts'
import { FirstPage } from './first-page.tsx'
import { measureFoot } from './foot-of-splash.ts'
import { LinkPage, linkStepsIn } from './link-page.tsx'
import { NotFound } from './not-found.tsx'
import { gatePage } from './page-gate.ts'

const notInTheBuild = () => Promise.reject(new Error('the page cannot submit while it is built'))

function wordsOf(language: PageLanguage): PageWords {
  const isStatic = import.meta.env.MODE === 'firebase'
  const words = pageWordsOf(language, {
    isStatic,
    confirm: import.meta.env.VITE_CONFIRM === 'on',
    share: !!import.meta.env.VITE_SHARE,
    isAsking: import.meta.env.VITE_QUESTION === 'page',
  })
  const inPhrases = Object.entries(words).map(([name, said]) => [
    name,
    sentences.includes(name) ? phrased(said, language.product.language) : said,
  ])
  return Object.fromEntries(inPhrases)
}

/** Those that may need several lines. */
const sentences: readonly string[] = [
  'pitch',
  'offer',
  'openOffer',
  'outcomes',
  'letterSent',
  'needsScript',
] satisfies (keyof PageWords)[]

/** For the script. No text can end its element. */
function asJson(words: PageWords): string {
  const json = toWordList(words).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="words">${json}</script>`
}

/**
 * The body of the first page: the splash, and the page beneath it. The splash is outside of the
 * hydrated root, so that a late script cannot bring it back.
 *
 * @param splash what the scene draws on it, in its element; empty where there is none.
 */
export function renderFirstPage(language: PageLanguage, splash: string) {
  const words = wordsOf(language)
  const page = renderToString(<FirstPage words={words} subscribe={notInTheBuild} />)
  const open = renderToString(
    <FirstPage words={words} subscribe={notInTheBuild} open={OPEN_URL_SLOT} />,
  )
  return {
    body: `${splash}<div id="root">${page}</div>${asJson(words)}`,
    /** The same once the page is open; the same script takes it over. */
    openBody: `${splash}<div id="root" data-open="${OPEN_URL_SLOT}">${open}</div>${asJson(words)}`,
  }
}

/**
 * The source of the splash gate, which loads the page's script and what that loads later.
 *
 * @param readsFoot whether the scene asks where the backdrop ends.
 */
export function renderGate(
  main: string,
  later: readonly string[],
  { readsFoot }: { readonly readsFoot: boolean },
): string {
  return [
    `(${gatePage})(${JSON.stringify(main)})`,
    ...(later.length > 0
      ? [`(${fetchAfter})(${JSON.stringify(main)},${JSON.stringify(later)})`]
      : []),
    ...(readsFoot ? [`(${measureFoot})()`] : []),
  ].join(';')
}

/**
 * The body of the page that answers a form without script: the outcome, and no splash.
 *
 * @param outcome left out, it only has the address filled in.
 * @param isOpen whether it is that of the open page.
 */
export function renderOutcomePage(
  language: PageLanguage,
  outcome: Outcome | undefined,
  { isOpen = false } = {},
): string {
  const words = wordsOf(language)
  const page = renderToString(
    <FirstPage
      words={words}
      subscribe={notInTheBuild}
      outcome={outcome}
      typed={outcome === 'subscribed' ? undefined : typedSlots}
      open={isOpen ? OPEN_URL_SLOT : undefined}
    />,
  )
  const open = isOpen ? ` data-open="${OPEN_URL_SLOT}"` : ''
  const ended = outcome === undefined ? '' : ` data-outcome="${outcome}"`
  return `<div id="root"${ended}${open}>${page}</div>${asJson(words)}`
}

/** The bodies of all pages behind other links, by their names and steps. */
export const renderLinkPages = (language: PageLanguage) =>
  linkStepsIn(language).map(({ page, step, said }) => ({
    ...{ page, step },
    body: renderToString(<LinkPage language={language} said={said} />),
  }))

/** The body of the page behind the link of a confirmation letter. */
export function renderConfirmPage(language: PageLanguage, step: ConfirmPageStep): string {
  return renderToString(<Confirm language={language} step={step} />)
}

/** The body of the 404 page. */
export function renderNotFoundPage(language: PageLanguage): string {
  return renderToString(<NotFound language={language} />)
}
