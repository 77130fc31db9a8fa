import type { FastifyInstance } from 'fastify'
import type { ServerSettings } from '../config/programs.ts'
import type { Reader } from '../config/read.ts'
import type { FormParts } from '../server/http/answer-forms.ts'
import type { BuiltLanguages } from '../server/http/built-languages.ts'
import type { SiteFile } from '../server/http/site-file.ts'
import type { Command } from '../shared/command.ts'
import type { Place } from '../shared/desk-place.ts'
import type { FeatureRules, RequestSaid } from '../shared/feature-rules.ts'
import type { LetterCodes } from '../shared/letter-codes.ts'
import type { Product } from '../shared/product.ts'
import type { Data, InStatus, Report } from '../shared/report.ts'
import type { Store } from '../store/store.ts'
import type { Out } from '../terminal/out.ts'

/**
 * A feature, as the faces walk the list of them: nothing else names one. What it does is loaded when
 * somebody asks for it.
 */
export interface Feature {
  readonly rules: FeatureRules
  /** Its command, which tells its report, or has work of its own. */
  readonly command?: FeatureCommand
  /** Its page of the desk, which shows the same. */
  readonly place?: Place
  /** Whether that is drawn by its own `desk-page.tsx`, and is no report. */
  readonly isDrawn?: true
  /** Whether an announcement can go to people in its order. */
  readonly hasOrder?: true
  /** Whether it makes the codes of letters. */
  readonly hasCodes?: true
  load(): Promise<FeatureWork>
  /** What it adds to the server, where it is on. */
  readonly server?: () => Promise<{ serverPart(given: ServerGiven): ServerPart }>
}

export interface FeatureCommand extends Omit<Command, 'load'> {
  /** The command that it follows in `--help`. */
  readonly after: string
  load?(): Promise<OwnCommand>
}

/** What is around a feature, also where there is no list yet. */
export interface Surroundings {
  readonly product: Product
  /** The founder's folder, which the build's is in. */
  readonly root: string
  readonly isOn: boolean
  /** Reads a setting. @throws OperatorError at the terminal, for one that is wrong */
  readonly get: Reader['get']
}

/** What a feature's work is done with. */
export interface FeatureParts extends Surroundings {
  readonly store: Pick<Store, 'list' | 'requests' | 'ledger' | 'growth' | 'codeKeys'>
  readonly linkKey: Buffer
  /** Where the list and the keys are. */
  readonly dataDir: string
}

/** What of it comes with an open list. */
export type Opened = Pick<FeatureParts, 'store' | 'linkKey' | 'dataDir'>

export interface FeatureWork {
  /** @throws StoreUnavailable */
  readonly report?: (parts: FeatureParts) => Promise<Report>
  /** What of it `status` has too. */
  readonly inStatus?: (parts: FeatureParts) => Promise<InStatus>
  /** What is done with what the report shows, by the code of the act. */
  readonly acts?: Readonly<Record<string, FeatureAct>>
  /** The act that the options of the command ask for. @throws Misuse */
  readonly chosen?: (options: Data) => { readonly code: string; readonly data: Data } | undefined
  /** What its `desk-page.tsx` is given. */
  readonly shown?: (around: Surroundings) => object
  /** How far ahead each address goes, the furthest first; 0 for those who are not named. */
  readonly order?: (parts: FeatureParts) => Promise<ReadonlyMap<string, number>>
  readonly codes?: (parts: FeatureParts) => LetterCodes
}

export interface OwnCommand {
  /** @param named what was given for `takes`. */
  fromTerminal(terminal: Terminal, options: Data, ...named: readonly unknown[]): Promise<void>
}

/** What a command of a feature is done with. Its exit code becomes that of the process. */
export interface Terminal {
  readonly around: Surroundings
  withoutList(command: (out: Out) => Promise<number>): Promise<void>
  /** @param how.looks whether it makes no list, and no key. @throws OperatorError StoreUnavailable */
  withList(
    how: { readonly looks?: boolean; readonly mayBeScratch?: boolean; readonly output?: string },
    command: (parts: FeatureParts, out: Out) => Promise<number>,
  ): Promise<void>
  tell(report: Report, options: Data, out: Out): Promise<number>
  /** The accounts of a table, as the options say how to read it. @throws OperatorError where there is no such file */
  accounts(file: string, options: Data): Promise<AccountTable>
}

export interface AccountTable {
  /** A few hundred at once, and how many rows among them were refused, which are told as they come. */
  read(out: Out): AsyncIterable<{ readonly accounts: readonly Account[]; readonly refused: number }>
}

/** An account of the product. */
export interface Account {
  /** As `parseEmail` returns it. */
  readonly email: string
  readonly at: Date
}

/** @returns what was done, in a sentence and for programs. @throws OperatorError why it was not */
export type FeatureAct = (
  data: Data,
  parts: FeatureParts,
) => Promise<{ readonly said: string; readonly data: Data }>

/** What a part of the server is made of. */
export interface ServerGiven {
  readonly store: Pick<Store, 'list' | 'replies' | 'standings'>
  readonly product: Product
  readonly linkKey: Buffer
  /** Those of the features, as they were read, by their names. */
  readonly settings: Partial<ServerSettings['ofFeatures']>
  /** The folder that the build's folder is in. */
  readonly root: string
  readonly languages: BuiltLanguages
}

export interface ServerPart {
  /** What a request to confirm says, by the feature's parameter in the link. */
  saidBy?(parameter: string): RequestSaid
  /** For the slot of the page "Confirmed". */
  slotOf?(addressId: string): string
  /** What it serves, by its path from the site's root. */
  readonly files?: readonly (readonly [path: string, SiteFile])[]
  /** Its routes, as a plugin of Fastify. */
  routes?(app: FastifyInstance): Promise<void>
  /** Those in each language of the page. */
  formRoutes?(app: FastifyInstance, parts: FormParts): Promise<void>
  /** The same of links in letters, also in a language that is offered no more. */
  linkRoutes?(app: FastifyInstance, parts: FormParts): Promise<void>
  /** What it asks visitors on the page. */
  readonly asks?: Asks
}

/** Lets visitors reply. */
export interface Asks {
  /** @param email of a visitor who just signed up. @returns the key of their sign-up, and what lets them reply. */
  letReply(email: string): { readonly key: string; readonly token: string }
  /**
   * Keeps what somebody who confirmed said on the page of a path such as `/de`.
   *
   * @returns whether it is a reply. @throws StoreUnavailable
   */
  keepReply(addressId: string, said: string, path: string): Promise<boolean>
}
