import type { ReactNode } from 'react'
import type { InLanguage, LinkStep } from './slots.ts'

/** What a page behind a link says while nothing can be kept. @param children the same form, to try again. */
export const unavailable = (
  { words }: Pick<InLanguage, 'words'>,
  children: ReactNode,
): LinkStep => ({
  heading: words.unavailableHeading,
  text: words.unsubscribeUnavailable,
  children,
})
