import { english } from './english.ts'
import type { PrivacyFacts } from './facts.ts'
import { german } from './german.ts'
import type { PrivacyWords } from './privacy-words.ts'

export const privacyLanguages = ['en', 'de'] as const

export type PrivacyLanguage = (typeof privacyLanguages)[number]

const languages: Readonly<Record<PrivacyLanguage, PrivacyWords>> = { en: english, de: german }

/** The text as Markdown. */
export function privacyText(facts: PrivacyFacts, language: PrivacyLanguage): string {
  const { title, draft, ...parts } = languages[language]
  const { responsible, address, cookie, robots, visits, others, kept, rights } = parts
  const sections = [responsible, address, cookie, robots, visits, others, kept, rights]
  const paragraphs = [
    `# ${title(facts)}`,
    `> ${draft}`,
    ...sections.flatMap((one) => [`## ${one.title}`, ...one.text(facts)]),
  ]
  return `${paragraphs.join('\n\n')}\n`
}
