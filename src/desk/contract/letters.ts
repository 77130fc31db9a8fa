import type { LetterStage } from '../../shared/letter-stages.ts'
import type { Note, Report } from '../../shared/report.ts'

/**
 * How far a letter's announcement is:
 * - `unsent`: never begun; `starting`: it is checked before the first message.
 * - `sending`; `stopping`: it finishes the messages under way.
 * - `stopped`: ended early, with people in the queue; `interrupted`: by the end of its process.
 * - `partly`: a stage is done.
 * - `told`: nobody is in the queue.
 */
export type LetterState =
  | 'unsent'
  | 'starting'
  | 'sending'
  | 'stopping'
  | 'stopped'
  | 'interrupted'
  | 'partly'
  | 'told'

/**
 * The most that a stage writes to once the announcement was begun, by its numbers alone: some of
 * these may have left since, and only a count of everybody tells. 0 where they do not tell.
 */
export function mostIn(
  stage: LetterStage,
  { tally, again }: Pick<LetterProgress, 'tally' | 'again'>,
): number {
  if (stage === 'everyone') return tally.queued
  return isRetry(stage) && tally[stage] > 0 ? tally[stage] + again : 0
}

/**
 * The stage that goes on with a run that was interrupted, as it was begun: nobody is told whom it was
 * not for. `undefined` where somebody could be told twice, or its people are not known here.
 */
export function goesOnWith(stage: string | undefined): LetterStage | undefined {
  // Those new since the letter began are in its queue by now.
  if (stage === 'newcomers') return 'everyone'
  return (['one-per-cent', 'everyone', 'failed'] as const).find((one) => one === stage)
}

/** Whether a stage sends again to those of a status. */
export const isRetry = (stage: LetterStage): stage is 'failed' | 'uncertain' =>
  stage === 'failed' || stage === 'uncertain'

/** How many of the recipients are to get it: all but those left out and those forgotten. */
export const peopleToTell = (
  eligible: number,
  { suppressed, forgotten }: Pick<LetterProgress['tally'], 'suppressed' | 'forgotten'>,
) => Math.max(0, eligible - suppressed - forgotten)

/** The query of what is done with a translation. */
export const inLanguage = (code: string | undefined) => (code ? `?language=${code}` : '')

/** Whether it is being sent. */
export const isRunning = (state: LetterState) => /^(starting|sending|stopping)$/.test(state)

/** A letter in the list. */
export interface LetterRow {
  readonly name: string
  readonly subject: string
  /** When its file was changed or, without one, its announcement begun; in milliseconds since 1970. */
  readonly at: number
  /** Those that it has a translation into. */
  readonly languages: readonly string[]
  /** How many mistakes are in it. */
  readonly mistakes: number
  readonly state: LetterState
  readonly told: number
  readonly of: number
}

export interface LettersPage {
  readonly page: 'letters'
  readonly letters: readonly LetterRow[]
  /** Where the files are. */
  readonly folder: string
  /** The process that sends another letter than these, in words. */
  readonly elsewhere?: string | undefined
}

/** A letter that is being written. */
export interface LetterFormPage {
  readonly page: 'letter-form'
  /** `undefined` for a new one. */
  readonly name?: string | undefined
  readonly wantedName: string
  readonly fields?: LetterFieldsShown | undefined
  /** The whole file, where fields would lose something of it. */
  readonly source?: string | undefined
  /** Marks the file as it was when the operator began to edit; empty for none. */
  readonly version: string
  /** The setting `MAIL_FROM`. */
  readonly mailFrom: string
  /** Of a translation. */
  readonly translation?: LetterTranslation | undefined
  readonly error?: string | undefined
}

/** A language that the product has, with the letter in it; or what lies beside it in another. */
export interface LetterLanguage {
  /** As BCP 47 has it. */
  readonly code: string
  /** In English, such as `German`. */
  readonly label: string
  /** The name of its file; `undefined` where its readers get the first letter. */
  readonly file?: string | undefined
  readonly subject: string
  readonly mistakes: readonly string[]
  /** Whether the product has it. */
  readonly isOffered: boolean
}

/** The language that a letter is translated into, and what is translated. */
export interface LetterTranslation {
  readonly code: string
  readonly label: string
  readonly isNew: boolean
  readonly first: { readonly label: string; readonly source: string }
}

/** A letter in the fields of a form. */
export interface LetterFieldsShown {
  readonly subject: string
  readonly preview: string
  readonly from: string
  readonly 'reply-to': string
  readonly text: string
}

/** What moves while a letter is sent. */
export interface LetterProgress {
  /** When it was so, in milliseconds since 1970. */
  readonly at: number
  readonly state: LetterState
  /** Everybody of this announcement. */
  readonly eligible: number
  readonly tally: Readonly<Record<LetterStatus, number>>
  /** How many of the queued were tried, and are tried again by any run. */
  readonly again: number
  /** How far it is, how its last run ended, and who has not got it. */
  readonly report: Report
  /** The stage by which one press goes on, after the run was interrupted. */
  readonly goesOn?: LetterStage | undefined
}

export type LetterStatus =
  | 'queued'
  | 'sending'
  | 'sent'
  | 'failed'
  | 'uncertain'
  | 'suppressed'
  | 'forgotten'

/** The result of a test. */
export interface LetterTest {
  readonly to: string
  readonly isSent: boolean
  readonly text: string
  /** What prevented it. */
  readonly notes: readonly Note[]
}

/** The findings of the last check. */
export interface LetterCheck {
  /** In milliseconds since 1970. */
  readonly at: number
  /** How far the announcement was then, as `progressMark` has it. */
  readonly progress: string
  readonly report: Report
  /** How many each run would send to. */
  readonly people: Readonly<Partial<Record<LetterStage, number>>>
  readonly settings: SendingSettings
}

/** How far an announcement is, as a text that changes with each letter that was tried. */
export const progressMark = ({ eligible, tally }: HowFar) =>
  [eligible, tally.sent, tally.failed, tally.uncertain].join(' ')

type HowFar = Pick<LetterProgress, 'eligible'> & {
  readonly tally: Pick<LetterProgress['tally'], 'sent' | 'failed' | 'uncertain'>
}

/**
 * Whether letters were sent since a check, here or from a terminal: then it no longer says how many
 * are left.
 */
export const isOutdated = ({ progress }: Pick<LetterCheck, 'progress'>, now: HowFar) =>
  progress !== progressMark(now)

/** How it is sent, as the fields of a form have it. */
export interface SendingSettings {
  readonly rate: string
  readonly dkimSelector: string
  readonly dnsServer: string
  /** Earlier announcements whose recipients get this one, too. */
  readonly alsoWhoGot: readonly string[]
}

/** What a letter looks like as a message. */
export interface LetterLook {
  readonly text: string
  /** Bytes of the whole message, and of its HTML alone. */
  readonly size: number
  readonly htmlSize: number
  /** How many pictures of the web it shows, which the desk does not load. */
  readonly pictures: number
}

export interface LetterPage {
  readonly page: 'letter'
  readonly name: string
  readonly subject: string
  readonly preview: string
  readonly from: string
  /** When its file was changed, in milliseconds since 1970; `undefined` without one. */
  readonly changedAt?: number | undefined
  readonly mistakes: readonly string[]
  /** As it was written, where it has mistakes. */
  readonly source?: string | undefined
  /** `undefined` where it has mistakes. */
  readonly look?: LetterLook | undefined
  /** The language of these; left out for the first one. */
  readonly shown?: string | undefined
  /** Those of the product, its first one first; left out where it has one. */
  readonly languages?: readonly LetterLanguage[] | undefined
  readonly progress: LetterProgress
  /** Whether it may be changed under its name. */
  readonly isOpen: boolean
  readonly version: string
  /** The number of the run that the next "send" begins. */
  readonly nextRun: number
  /** Settings of the server that are missing, with what each must be. */
  readonly missing: readonly string[]
  readonly check?: LetterCheck | undefined
  readonly settings: SendingSettings
  /** Whether the last run went on in spite of problems, or would have had to. */
  readonly mayForce: boolean
  readonly earlier: readonly string[]
  readonly test?: LetterTest | undefined
  readonly error?: string | undefined
}
