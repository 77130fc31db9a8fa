import type { ComponentType } from 'react'

/** What draws the desk's page of a feature, by the feature's name, from what that shows there. */
// biome-ignore lint/suspicious/noExplicitAny: each is given what is its own
export type DeskPages = Readonly<Record<string, ComponentType<any>>>

export { EmbedPage as embed } from './embed/desk-page.tsx'
