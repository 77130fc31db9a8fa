import type { SealState } from '../keys/seal-key.ts'
import type { HoldReason } from './list-hold.ts'

/** Writes copies of everything that is kept, for a store that has no such thing of its own. */
export interface Backups extends CopyRecord {
  /**
   * Writes a copy as of now while others read and write, and reads it back before it counts.
   *
   * @param file is replaced if it is there.
   * @param more what else is done before it has its name; a failure of it is one of the copy.
   * @throws StoreUnavailable
   */
  write(file: string, more?: WriteOptions): Promise<WrittenCopy>

  /** When the last copy was written. @throws StoreUnavailable */
  last(): Promise<Date | null>

  /** What is kept now. @throws StoreUnavailable */
  content(): Promise<Content>
}

export interface WriteOptions {
  /** The keys that go into the copy, by the names of their files. */
  readonly keys?: CopiedKeys
  /** Seals the copy, and is not in it. */
  readonly sealKey?: Buffer | undefined
  /**
   * Is called with the whole copy under a name that it will not keep, of that many bytes; may write
   * another file in its place. What it throws is thrown, and the copy is gone.
   */
  readonly beforeNamed?: (unfinished: string, copy: WrittenCopy) => Promise<void>
}

/** What a copy holds. */
export interface Copy {
  readonly subscribers: number
  readonly announcements: number
}

export interface WrittenCopy extends Copy {
  readonly content: Content
}

/** What a list comes to: two with the same are the same list. */
export interface Content {
  readonly subscribers: number
  /** How many addresses stand so, on the list or not; who has no standing of their own is in none. */
  readonly standings: Readonly<Record<string, number>>
  /** SHA-256 over all subscribers with the times of their sign-ups, and all standings. */
  readonly digest: string
  /** The rest of what a restore brings back; left out for a copy of an older version. */
  readonly parts?: ContentParts | undefined
}

/** By what the rows are called where they are counted, such as `deliveries`. */
export type ContentParts = Readonly<Record<string, ContentPart>>

export interface ContentPart {
  readonly rows: number
  /** Two with the same have the same rows, in whatever order. */
  readonly digest: string
}

/** The bytes of `link.key`, `session.key` and `invitation.key`, those that there are. */
export type CopiedKeys = Readonly<Record<string, Uint8Array>>

export interface CheckedCopy extends Copy {
  readonly content: Content
  /** When it was made, and what it held then; `undefined` for a copy of an older program. */
  readonly made: { readonly at: Date; readonly content: Content } | undefined
  readonly keys: CopiedKeys
  readonly seal: SealState
}

/** How a copy is read. */
export interface CopyReading {
  /** Checks its seal. */
  readonly sealKey?: Buffer | undefined
  /** With `ours`, a copy that was made later than now is refused: this machine's clock may be behind. */
  readonly clock?: 'ours' | 'any'
}

export interface RestoreReading extends CopyReading {
  /**
   * Whether the copy is believed whatever its seal: it was authenticated in another way, or the operator
   * says so. Of one that is not, no opening and no key comes back, and the list is held.
   */
  readonly isBelieved?: boolean
  /** Is told how many rows of so many are looked at. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined
}

/** What the store knows of the copies that are kept by a rule, and of the trials of restoring one. */
export interface CopyRecord {
  /** All of them, the oldest first. @throws StoreUnavailable */
  keptCopies(): Promise<KeptCopy[]>

  /** Notes a copy, before it has its name. @throws StoreUnavailable */
  noteCopy(copy: KeptCopy): Promise<void>

  /** Notes that a copy is not there any more. @throws StoreUnavailable */
  noteRemoved(copy: Pick<KeptCopy, 'folder' | 'name'>): Promise<void>

  /** The last one, and the last one without a fault. @throws StoreUnavailable */
  rehearsals(): Promise<{ last: Rehearsal | undefined; lastGood: Rehearsal | undefined }>

  /** @throws StoreUnavailable */
  noteRehearsal(rehearsal: Rehearsal): Promise<void>
}

/** A copy that is kept by a rule. */
export interface KeptCopy {
  /** Absolute. */
  readonly folder: string
  readonly name: string
  readonly at: Date
  readonly bytes: number
  /** The rule in force when it was made, such as `7,4,12`. */
  readonly keep: string
  readonly content: Content
}

/** A restore that was tried in a scratch file and compared. */
export interface Rehearsal {
  readonly at: Date
  /** The copy's path. */
  readonly copy: string
  /** What went wrong, in a sentence; `undefined` when all came back as it was. */
  readonly fault: string | undefined
}

/** Brings copies back into whichever store is in use: a restore is also how a list moves to another. */
export interface Copies {
  /** Reads a copy through. @throws StoreUnavailable with what is wrong with it. */
  check(file: string, reading?: CopyReading): Promise<CheckedCopy>

  /**
   * Brings back what a copy has and the store has not. What the store knows is newer and stays:
   * who was forgotten since does not come back, who unsubscribed stays out, who was told was told.
   * Whoever was still to be told when the copy was made may have been told since: `uncertain`.
   * Can be interrupted anywhere and done again. @throws StoreUnavailable
   */
  restore(file: string, reading?: RestoreReading): Promise<Restored>
}

export interface Restored {
  readonly added: number
  readonly known: number
  /** Who does not come back, since that was asked for. */
  readonly forgotten: number
  /** Rows that no store of ours has written, and that stay out. */
  readonly refused: number
  readonly announcements: number
  readonly seal: SealState
  /** When the copy was made; where it does not say so, the latest time in it, if that is later than now. */
  readonly madeAt?: Date
  /** Why no announcement leaves after it, unless the copy is believed. */
  readonly held?: HoldReason | undefined
  /** Where the button of the open page leads, if that came from the copy. */
  readonly opening?: string
}

/**
 * Where two lists differ, in a sentence; `undefined` where they do not.
 *
 * @param expected is alone in saying which parts are compared.
 */
export function difference(found: Content, expected: Content): string | undefined {
  const [one, other] = [countsOf(found), countsOf(expected)]
  const differing = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => (one[name] ?? 0) !== (other[name] ?? 0))
    .map((name) => `${one[name] ?? 0} ${name} instead of ${other[name] ?? 0}`)
  if (differing.length === 0 && found.digest !== expected.digest)
    differing.push('as many addresses and standings as there were, but not the same')
  for (const [name, { rows, digest }] of Object.entries(expected.parts ?? {})) {
    const part = found.parts?.[name]
    if (part?.rows !== rows) differing.push(`${part?.rows ?? 0} ${name} instead of ${rows}`)
    else if (part.digest !== digest)
      differing.push(`as many ${name} as there were, but not the same`)
  }
  return differing.join(', ') || undefined
}

const countsOf = ({ subscribers, standings }: Content): Record<string, number> => ({
  subscribers,
  ...standings,
})
