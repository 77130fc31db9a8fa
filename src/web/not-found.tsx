import { catalogueOf } from '../words/catalogue.ts'
import type { PageLanguage } from '../words/page-words.ts'
import { PlainPage, WayHome } from './plain-page.tsx'

/** The 404 page. */
export function NotFound({ language }: { readonly language: PageLanguage }) {
  const { notFoundHeading, notFound } = catalogueOf(language.product).words
  return (
    <PlainPage product={language.product} heading={notFoundHeading} text={notFound}>
      <WayHome language={language} />
    </PlainPage>
  )
}
