import { renderToString } from 'react-dom/server'
import type { Outcome } from '../shared/outcome.ts'
import type { Product } from '../shared/product.ts'
import {
  type ConfirmPageStep,
  EMAIL_SLOT,
  OPEN_URL_SLOT,
  type UnsubscribeStep,
} from '../site/site.ts'
import { type PageWords, pageWordsOf } from '../words/page-words.ts'
import { toWordList } from '../words/word-list.ts'
import { ComingSoon } from './coming-soon.tsx'
import { Confirm } from './confirm.tsx'
import { fetchAfter } from './fetch-after.ts'
import { NotFound } from './not-found.tsx'
import { gatePage } from './page-gate.ts'
import { Splash } from './splash.tsx'
import { Unsubscribe } from './unsubscribe.tsx'

const notInTheBuild = () => Promise.reject(new Error('the page cannot submit while it is built'))

function wordsOf(product: Product): PageWords {
  const isStatic = import.meta.env.MODE === 'firebase'
  return pageWordsOf(product, { isStatic, confirm: import.meta.env.VITE_CONFIRM === 'on' })
}

/** For the script. No text can end its element. */
function asJson(words: PageWords): string {
  const json = toWordList(words).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="words">${json}</script>`
}

/**
 * The body of the first page: the splash, the page beneath it, and the source of the splash gate,
 * which loads the page's script and what that loads later.
 */
export function renderFirstPage(product: Product) {
  const splash = renderToString(<Splash name={product.name} />)
  const words = wordsOf(product)
  const page = renderToString(<ComingSoon words={words} subscribe={notInTheBuild} />)
  const open = renderToString(
    <ComingSoon words={words} subscribe={notInTheBuild} open={OPEN_URL_SLOT} />,
  )
  return {
    body: `${splash}<div id="root">${page}</div>${asJson(words)}`,
    /** The same once the page is open; the same script takes it over. */
    openBody: `${splash}<div id="root" data-open="${OPEN_URL_SLOT}">${open}</div>${asJson(words)}`,
    gate(main: string, later: readonly string[] = []) {
      const gate = `(${gatePage})(${JSON.stringify(main)})`
      if (later.length === 0) return gate
      return `${gate};(${fetchAfter})(${JSON.stringify(main)},${JSON.stringify(later)})`
    },
  }
}

/**
 * The body of the page that answers a form without script: the outcome, and no splash.
 *
 * @param isOpen whether it is that of the open page.
 */
export function renderOutcomePage(product: Product, outcome: Outcome, isOpen = false): string {
  const email = outcome === 'subscribed' ? undefined : EMAIL_SLOT
  const words = wordsOf(product)
  const page = renderToString(
    <ComingSoon
      words={words}
      subscribe={notInTheBuild}
      outcome={outcome}
      email={email}
      open={isOpen ? OPEN_URL_SLOT : undefined}
    />,
  )
  const open = isOpen ? ` data-open="${OPEN_URL_SLOT}"` : ''
  return `<div id="root" data-outcome="${outcome}"${open}>${page}</div>${asJson(words)}`
}

/** The body of the page behind an unsubscribe link. */
export function renderUnsubscribePage(product: Product, step: UnsubscribeStep): string {
  return renderToString(<Unsubscribe product={product} step={step} />)
}

/** The body of the page behind the link of a confirmation letter. */
export function renderConfirmPage(product: Product, step: ConfirmPageStep): string {
  return renderToString(<Confirm product={product} step={step} />)
}

/** The body of the 404 page. */
export function renderNotFoundPage(product: Product): string {
  return renderToString(<NotFound product={product} />)
}
