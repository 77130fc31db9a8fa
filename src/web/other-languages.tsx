import type { MouseEvent } from 'react'
import type { PageWords } from '../words/page-words.ts'

/** What a link has that leads to the page in another language. @param target of any link at the foot. */
export function languageOf({ languages = {} }: PageWords, target: string) {
  const code = languages[target]
  return code === undefined ? {} : { lang: code, hrefLang: code, onClick: keepSource }
}

/** Takes the source along, which the link to the page may have named. */
function keepSource({ currentTarget }: MouseEvent<HTMLAnchorElement>) {
  currentTarget.search = location.search
}
