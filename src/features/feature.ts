import type { Command } from '../shared/command.ts'
import type { FeatureRules, RequestSaid } from '../shared/feature-rules.ts'
import type { Place } from '../shared/place.ts'
import type { Product } from '../shared/product.ts'
import type { Data, InStatus, Report } from '../shared/report.ts'
import type { Store } from '../store/store.ts'

/**
 * A feature, as the faces walk the list of them: nothing else names one. What it does is loaded when
 * somebody asks for it.
 */
export interface Feature {
  readonly rules: FeatureRules
  /** Its command, which tells its report. */
  readonly command?: Omit<Command, 'load'>
  /** Its page of the desk, which shows the same. */
  readonly place?: Place
  /** Whether an announcement can go to people in its order. */
  readonly hasOrder?: true
  load(): Promise<FeatureWork>
  /** What it adds to the server, where it is on. */
  readonly server?: () => Promise<{ serverPart(linkKey: Buffer): ServerPart }>
}

/** What a feature's work is done with. */
export interface FeatureParts {
  readonly store: Pick<Store, 'list' | 'requests'>
  readonly linkKey: Buffer
  readonly product: Product
  readonly isOn: boolean
}

export interface FeatureWork {
  /** @throws StoreUnavailable */
  report(parts: FeatureParts): Promise<Report>
  /** What of it `status` has too. */
  readonly inStatus?: (parts: FeatureParts) => Promise<InStatus>
  /** What is done with what the report shows, by the code of the act. */
  readonly acts?: Readonly<Record<string, FeatureAct>>
  /** The act that the options of the command ask for. @throws Misuse */
  readonly chosen?: (options: Data) => { readonly code: string; readonly data: Data } | undefined
  /** How far ahead each address goes, the furthest first; 0 for those who are not named. */
  readonly order?: (parts: FeatureParts) => Promise<ReadonlyMap<string, number>>
}

/** @returns what was done, in a sentence and for programs. @throws OperatorError why it was not */
export type FeatureAct = (
  data: Data,
  parts: FeatureParts,
) => Promise<{ readonly said: string; readonly data: Data }>

export interface ServerPart {
  /** What a request to confirm says, by the feature's parameter in the link. */
  saidBy(parameter: string): RequestSaid
  /** For the slot of the page "Confirmed". */
  slotOf(addressId: string): string
}
