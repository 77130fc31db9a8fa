import { linkPagesOf } from '../features/page.tsx'
import { catalogueOf } from '../words/catalogue.ts'
import type { PageLanguage } from '../words/page-words.ts'
import type { LinkStep } from './parts/slots.ts'
import { PlainPage, WayHome } from './plain-page.tsx'
import { unsubscribePage } from './unsubscribe.tsx'

/** A page behind a link, at one of its steps. */
export function LinkPage({ language, said }: { language: PageLanguage; said: LinkStep }) {
  const { children = <WayHome language={language} />, ...others } = said
  return (
    <PlainPage product={language.product} {...others}>
      {children}
    </PlainPage>
  )
}

/** What all of them say in a language, but for those of a confirmation. */
export function linkStepsIn(language: PageLanguage) {
  const given = { language, words: catalogueOf(language.product).words }
  const pages = Object.entries({ unsubscribe: unsubscribePage, ...linkPagesOf() })
  return pages.flatMap(([page, saidIn]) =>
    Object.entries(saidIn(given)).map(([step, said]) => ({ page, step, said })),
  )
}
