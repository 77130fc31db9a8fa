/**
 * What the desk's pages show: made by the desk's process, drawn by React there and in the browser.
 * All of it is JSON. A new page is a type in here, one line in `DeskPage`, one in `src/desk/page/pages.tsx`;
 * one with a link of its own is a place, too.
 */

import type { Place } from '../../shared/desk-place.ts'
import type { Report } from '../../shared/report.ts'
import type { LetterFormPage, LetterPage, LettersPage } from './letters.ts'
import type { DeskLook } from './look.ts'
import type { OpeningPage, OpeningSurePage } from './opening.ts'
import type { DoneNote, PeoplePage } from './people.ts'
import { type PlaceName, places } from './places.ts'
import type { Span, TodayState } from './today.ts'

/** The frame around every page. */
export interface DeskShell {
  readonly product: {
    readonly name: string
    readonly look: DeskLook
  }
  /** How the operator calls our tool on this machine. */
  readonly tool: string
  /** What it is said in, as BCP 47 has it: `en`, or `de`. */
  readonly language: string
  /** Those that a page leads to. */
  readonly places: readonly Place[]
  /** The path of the page, such as `/desk/people`. */
  readonly path: string
  /** Stands in the hidden field `csrf` of every form. */
  readonly csrf: string
  /** The address of the session's events, which lacks their topic. */
  readonly events: string
  /** When the page was made, in milliseconds since 1970. */
  readonly now: number
  /** The time zone of all times, such as `Europe/Berlin`: the product's, or the machine's. */
  readonly zone: string
}

export interface TodayPage {
  readonly page: 'today'
  readonly state: TodayState
  /** The unit of the curve: hour, day or week. */
  readonly span: Span
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
  readonly state: DoorState
}

/**
 * The state of a link; or `ended` after the operator ended their own session, `ended-here` where that
 * could not be written; or `refused` for other failures.
 */
export type DoorState = LinkState | 'ended' | 'ended-here' | 'refused'

/** A session. Times are in milliseconds since 1970. */
export interface DeskAccessRow {
  readonly id: string
  /** Its device. */
  readonly name: string
  readonly begunAt: number
  readonly usedAt: number
  /** Whether it is the one that shows the page. */
  readonly isThis: boolean
}

/** What opens the desk. */
export interface AccessPage {
  readonly page: 'access'
  /** The last used one first. */
  readonly sessions: readonly DeskAccessRow[]
  /** Whether one of them was just ended. */
  readonly isEnded: boolean
}

/** A page that is a report, such as `/desk/came`. */
export interface ReportPage {
  readonly page: 'report'
  readonly report: Report
  readonly above: Pick<Place, 'path' | 'title'>
  /** What was done a moment ago. */
  readonly done?: DoneNote | null
}

/** The page of a feature that draws it by itself, from what it shows there. */
export interface FeaturePage {
  readonly page: 'feature'
  readonly feature: string
  readonly title: string
  readonly shown: object
}

export type DeskPage =
  | TodayPage
  | ReportPage
  | LettersPage
  | LetterPage
  | LetterFormPage
  | OpeningPage
  | OpeningSurePage
  | AccessPage
  | FeaturePage
  | ProblemPage
  | DoorPage
  | PeoplePage

export interface DeskView {
  readonly shell: DeskShell
  readonly page: DeskPage
}

/** Where the build's files are, as a browser asks for them. */
export interface DeskFiles {
  readonly script: string
  readonly styles: readonly string[]
}

/** What a link says before its code is posted. The server answers with these pages by itself. */
export const linkStates = ['open', 'wrong-code', 'used', 'too-old'] as const

/** The placeholder in these pages for the tool's name, which the server fills in. */
export const TOOL_THERE = '{tool}'

export type LinkState = (typeof linkStates)[number]

export const linkStatuses = { open: 200, 'wrong-code': 403, used: 410, 'too-old': 410 } as const

/** `doors.json` of the build: the page of each state of a link, and the policy that it is sent with. */
export type DeskDoors = Readonly<
  Record<LinkState, { readonly html: string; readonly policy: string }>
>

/** Makes the whole document of a page. @param nonce allows what stands inline, before there is a session. */
export type RenderDesk = (view: DeskView, files: DeskFiles, nonce: string) => string

/** The paths of all places, and those that no link leads to. */
export const deskPaths = {
  ...(Object.fromEntries(
    Object.entries(places).map(([name, { path }]) => [name, path]),
  ) as Readonly<Record<PlaceName, string>>),
  /** Releases letters that are held. */
  release: '/desk/release',
  events: '/desk/events',
} as const
