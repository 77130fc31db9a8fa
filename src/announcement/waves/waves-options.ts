import type { KeptWaves } from '../../store/waves.ts'
import type { AnnounceOptions, RunEnd } from '../tell-everyone.ts'
import type { Breach, WaveFigures, WaveLimits } from './breach.ts'
import type { Clock, WaitingEvents } from './waiting.ts'
import type { WavePlan } from './wave-plan.ts'

type Given = 'insteadOf' | 'on' | 'stage' | 'first'

/** The findings of the pre-flight that a wave needs. */
export interface Ready {
  /** The most that may be sent to Gmail in 24 hours; `undefined` for any number. */
  readonly mostToGmail: number | undefined
  /** Whether visitors see the open page. */
  readonly isOpen?: boolean
  /** How many of those not tried yet get a letter. */
  readonly letters?: number
}

export interface WavesOptions extends WaveLimits {
  readonly announcement: Omit<AnnounceOptions, Given>
  readonly plan: WavePlan
  readonly everyMs: number
  /** Waits until everybody is told; otherwise ends when the next wave is not due. */
  readonly wait: boolean
  /**
   * How often it checks who left while it waits, in milliseconds; once before a wave in any case.
   */
  readonly lookEveryMs: number
  /** Overrides failures and unsubscribes of the stored wave. */
  readonly goOn: boolean
  /** Replaces the stored plan by this one, once: a plan that is stored later stays. */
  readonly changePlan: boolean
  /** The pre-flight of a wave. @returns its findings; `undefined` if the wave may not go. */
  readonly ready: (isFirst: boolean) => Promise<Ready | undefined>
  /** Takes the lock, also of a dead run. @returns `undefined` while another run has it. */
  readonly hold: (isFirst: boolean) => Promise<{ release(): Promise<void> } | undefined>
  /** Sends; replaces a dead run. @returns `undefined` while another run has the lock. */
  readonly run: (
    options: Omit<AnnounceOptions, 'insteadOf' | 'on'>,
    isFirst: boolean,
  ) => Promise<RunEnd | undefined>
  readonly on: WavesEvents
  readonly clock?: Clock
}

export interface WavesEvents extends WaitingEvents {
  /** A wave was sent, whole or in part. */
  sent(end: RunEnd, kept: KeptWaves, figures: WaveFigures): Promise<void>
  /** It waits for the next wave, the rest of this one, or another run. */
  waiting(until: Date, what: 'wave' | 'gmail' | 'run', kept: KeptWaves | undefined): void
}

export type WavesEnd =
  /** `done` when everybody is told; else the run stopped, or does not balance. */
  | { readonly why: 'done' | 'ended'; readonly end: RunEnd }
  | { readonly why: 'breach'; readonly breach: Breach; readonly kept: KeptWaves }
  | { readonly why: 'interrupted'; readonly kept: KeptWaves | undefined }
  | { readonly why: 'notDue'; readonly until: Date; readonly kept: KeptWaves | undefined }
  | { readonly why: 'notReady' }
