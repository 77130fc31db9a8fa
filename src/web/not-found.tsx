import { catalogueOf } from '../words/catalogue.ts'
import type { PageLanguage } from '../words/page-words.ts'
import { PlainPage } from './plain-page.tsx'

/** The 404 page. */
export function NotFound({ language }: { readonly language: PageLanguage }) {
  const { notFoundHeading, notFound, wayHome } = catalogueOf(language.product).words
  return (
    <PlainPage product={language.product} heading={notFoundHeading} text={notFound}>
      <a className="way-home" href={`${language.path}/`}>
        {wayHome}
      </a>
    </PlainPage>
  )
}
