import type { MouseEvent } from 'react'
import type { PageWords } from '../words/page-words.ts'

export function languageOf({ languages = {} }: PageWords, target: string) {
  const code = languages[target]
  return code === undefined ? {} : { lang: code, hrefLang: code, onClick: keepSource }
}

/** Whoever came by a link that names its source still did, in any language. */
function keepSource({ currentTarget }: MouseEvent<HTMLAnchorElement>) {
  currentTarget.search = location.search
}
