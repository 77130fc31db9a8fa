/**
 * What the desk's pages show: made by the desk's process, drawn by React there and in the browser.
 * All of it is JSON. A new page is a type in here, one line in `DeskPage`, one in `src/desk/pages.tsx`.
 */
import type { LetterFormPage, LetterPage, LettersPage } from './desk-letters.ts'

/** What stands around every page. */
export interface DeskShell {
  readonly product: { readonly name: string; readonly logo: string; readonly accent: string }
  /** The path of the page, such as `/desk/people`. */
  readonly path: string
  /** Stands in the hidden field `csrf` of every form. */
  readonly csrf: string
  /** When the page was made, in milliseconds since 1970. */
  readonly now: number
  /** The server's time zone, such as `Europe/Berlin`: what a page says until its script runs. */
  readonly zone: string
}

export interface TodayPage {
  readonly page: 'today'
  readonly subscribers: number
}

/** Something that was asked for could not be done, or is not there. */
export interface ProblemPage {
  readonly page: 'problem'
  readonly title: string
  readonly text: string
}

/** The page behind a link that was printed, before there is a session. */
export interface DoorPage {
  readonly page: 'door'
  readonly state: 'open' | 'wrong-code' | 'used' | 'too-old'
}

export type DeskPage =
  | TodayPage
  | LettersPage
  | LetterPage
  | LetterFormPage
  | ProblemPage
  | DoorPage

export interface DeskView {
  readonly shell: DeskShell
  readonly page: DeskPage
}

/** Where the build's files are, as a browser asks for them. */
export interface DeskFiles {
  readonly script: string
  readonly styles: readonly string[]
}

/** Makes the whole document of a page. @param nonce allows what stands inline, before there is a session. */
export type RenderDesk = (view: DeskView, files: DeskFiles, nonce: string) => string

export const deskPaths = {
  today: '/desk',
  people: '/desk/people',
  letters: '/desk/letters',
  access: '/desk/access',
  events: '/desk/events',
} as const
