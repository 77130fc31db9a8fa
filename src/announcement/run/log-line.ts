import type { Found } from '../../shared/found.ts'
import type { Refusal } from '../refusal.ts'
import type { May } from './findings.ts'
import type { RunReport } from './report.ts'

/** A line of the log that a run keeps for the desk, as JSON. No address stands in it. */
export type LogLine =
  | { readonly code: 'found'; readonly found: readonly Found[]; readonly may: May }
  /** An earlier run was cut off, and this many may have the letter or not. */
  | { readonly code: 'settled'; readonly uncertain: number }
  | { readonly code: 'begun'; readonly toSend: number }
  | { readonly code: 'stopping' }
  | ({ readonly code: 'ended' } & Pick<RunReport, 'why' | 'answer' | 'tally'>)
  | { readonly code: 'refused'; readonly refusal: Refusal }
  /** The settings of the machine are wrong. */
  | { readonly code: 'settings'; readonly mistakes: string }
  | { readonly code: 'store-away'; readonly answer: string }
  | { readonly code: 'fault'; readonly text: string }
