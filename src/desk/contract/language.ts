/** The language of the desk: German where the page's first one is, else English. */
export const deskLanguageOf = ({ language = 'en' }: { readonly language?: string }): 'de' | 'en' =>
  /^de\b/.test(language) ? 'de' : 'en'
