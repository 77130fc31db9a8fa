import type { KeptWaves } from '../../store/waves.ts'
import type { AnnounceEnd, AnnounceOptions } from '../tell-everyone.ts'
import type { Breach, WaveFigures, WaveLimits } from './breach.ts'
import type { Clock } from './clock.ts'
import type { WaitingEvents } from './waiting.ts'
import type { WavePlan } from './wave-plan.ts'

export type WaveRunEnd = Exclude<AnnounceEnd, { why: 'locked' }>

type Given = 'insteadOf' | 'on' | 'stage' | 'first'

/** What the pre-flight found that a wave has to know. */
export interface Ready {
  /** The most that may be sent to Gmail in 24 hours; `undefined` for any number. */
  readonly mostToGmail: number | undefined
  /** Whether visitors see the open page. */
  readonly isOpen?: boolean
}

export interface WavesOptions extends WaveLimits {
  readonly announcement: Omit<AnnounceOptions, Given>
  readonly plan: WavePlan
  readonly everyMs: number
  /** Stays until everybody is told; else ends where the next wave is not due. */
  readonly wait: boolean
  /** How often it is looked who left while it waits, in milliseconds; once before a wave in any case. */
  readonly lookEveryMs: number
  /** Passes over what failed and who left in the wave that is kept. */
  readonly goOn: boolean
  /** Takes this plan instead of that which is kept: once, and what comes to be kept later stays. */
  readonly changePlan: boolean
  /** Looks for what would spoil a wave. @returns what it has to know; `undefined` if it may not go. */
  readonly ready: (isFirst: boolean) => Promise<Ready | undefined>
  /** Takes the lock, in place of a run that is dead. @returns `undefined` while another run has it. */
  readonly hold: (isFirst: boolean) => Promise<{ release(): Promise<void> } | undefined>
  /** Sends, in place of a run that is dead. @returns `undefined` while another run has the lock. */
  readonly run: (
    options: Omit<AnnounceOptions, 'insteadOf' | 'on'>,
    isFirst: boolean,
  ) => Promise<WaveRunEnd | undefined>
  readonly on: WavesEvents
  readonly clock?: Clock
}

export interface WavesEvents extends WaitingEvents {
  /** A wave was sent, whole or in part. */
  sent(end: WaveRunEnd, kept: KeptWaves, figures: WaveFigures): Promise<void>
  /** The next one is waited for, or the rest of this one, or another run. */
  waiting(until: Date, what: 'wave' | 'gmail' | 'run', kept: KeptWaves | undefined): void
}

export type WavesEnd =
  /** `done` when everybody is told; else the run stopped, or does not balance. */
  | { readonly why: 'done' | 'ended'; readonly end: WaveRunEnd }
  | { readonly why: 'breach'; readonly breach: Breach; readonly kept: KeptWaves }
  | { readonly why: 'interrupted'; readonly kept: KeptWaves | undefined }
  | { readonly why: 'notDue'; readonly until: Date; readonly kept: KeptWaves | undefined }
  | { readonly why: 'notReady' }
