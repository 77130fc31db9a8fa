import type { SealState } from '../keys/seal-key.ts'
import type { HoldReason } from './list-hold.ts'

/** Writes copies of all stored data. */
export interface Backups extends CopyRecord {
  /**
   * Writes a copy as of now while others read and write, and reads it back before it counts.
   *
   * @param file is replaced if it is there.
   * @param more what else is done before it has its name; if that fails, the copy fails.
   * @throws StoreUnavailable
   */
  write(file: string, more?: WriteOptions): Promise<WrittenCopy>

  /** When the last copy was written. @throws StoreUnavailable */
  last(): Promise<Date | null>

  /** The content of the store now. @throws StoreUnavailable */
  content(): Promise<Content>
}

export interface WriteOptions {
  /** The keys that go into the copy, by the names of their files. */
  readonly keys?: CopiedKeys
  /** Seals the copy, and is not in it. */
  readonly sealKey?: Buffer | undefined
  /**
   * Called with the whole copy under its temporary name; it may write another file in its place. If
   * it throws, that is thrown, and the copy is removed.
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

/** A summary of a list: two lists with the same content are the same. */
export interface Content {
  readonly subscribers: number
  /** How many addresses have each standing, on the list or not; only those with an entry count. */
  readonly standings: Readonly<Record<string, number>>
  /** SHA-256 over all subscribers with the times of their sign-ups, and all standings. */
  readonly digest: string
  /** The rest of what a restore brings back. */
  readonly parts: ContentParts
}

/** By the name of the rows, such as `deliveries`. */
export type ContentParts = Readonly<Record<string, ContentPart>>

export interface ContentPart {
  readonly rows: number
  /** The same for the same rows, in any order. */
  readonly digest: string
}

/** The bytes of `link.key`, `session.key` and `invitation.key`, as far as they exist. */
export type CopiedKeys = Readonly<Record<string, Uint8Array>>

export interface CheckedCopy extends Copy {
  readonly content: Content
  /** When it was made, and what it held then; `undefined` for one that another program made. */
  readonly made: { readonly at: Date; readonly content: Content } | undefined
  readonly keys: CopiedKeys
  readonly seal: SealState
}

/** How a copy is read. */
export interface CopyReading {
  /** Checks its seal. */
  readonly sealKey?: Buffer | undefined
  /** With `ours`, a copy from the future is refused: this machine's clock may be behind. */
  readonly clock?: 'ours' | 'any'
}

export interface RestoreReading extends CopyReading {
  /**
   * Whether the copy is trusted in spite of its seal: it was authenticated in another way, or the
   * operator says so. Otherwise no opening and no key comes back, and the list is held.
   */
  readonly isBelieved?: boolean
  /** Called with the number of rows that were read, and of all rows. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined
}

/** The store's record of the copies that are kept by a rule, and of the rehearsals. */
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
  /** What went wrong, in a sentence; `undefined` when everything came back as it was. */
  readonly fault: string | undefined
}

/** Restores copies into the list in use. */
export interface Copies {
  /** Reads a whole copy. @throws StoreUnavailable with its fault. */
  check(file: string, reading?: CopyReading): Promise<CheckedCopy>

  /**
   * Brings back what a copy has and the store lacks. The store's data is newer and stays: addresses
   * that were forgotten or unsubscribed since stay so, and deliveries stay as they are. Recipients
   * who were still to be told when the copy was made may have been told since: they are
   * `uncertain`. Can be interrupted anywhere and done again. @throws StoreUnavailable
   */
  restore(file: string, reading?: RestoreReading): Promise<Restored>
}

export interface Restored {
  readonly added: number
  readonly known: number
  /** Addresses that do not come back, since they were forgotten. */
  readonly forgotten: number
  /** Rows that cannot be read, and stay out. */
  readonly refused: number
  readonly announcements: number
  /** How many were still to be told when the copy was made: they are `uncertain`. */
  readonly stillToTell: number
  readonly seal: SealState
  /**
   * When the copy was made; if it does not say so, the latest time in it, if that is later than
   * now.
   */
  readonly madeAt?: Date
  /** Why no announcement leaves after it, unless the copy is trusted. */
  readonly held?: HoldReason | undefined
  /** Where the button of the open page leads, if that came from the copy. */
  readonly opening?: string
}

/**
 * The differences of two lists, in a sentence; `undefined` where there are none.
 *
 * @param expected decides which parts are compared.
 */
export function difference(found: Content, expected: Content): string | undefined {
  const [one, other] = [countsOf(found), countsOf(expected)]
  const differing = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => (one[name] ?? 0) !== (other[name] ?? 0))
    .map((name) => `${one[name] ?? 0} ${name} instead of ${other[name] ?? 0}`)
  if (differing.length === 0 && found.digest !== expected.digest)
    differing.push('some addresses or standings differ')
  for (const [name, { rows, digest }] of Object.entries(expected.parts)) {
    const part = found.parts[name]
    if (part?.rows !== rows) differing.push(`${part?.rows ?? 0} ${name} instead of ${rows}`)
    else if (part.digest !== digest) differing.push(`some ${name} differ`)
  }
  return differing.join(', ') || undefined
}

const countsOf = ({ subscribers, standings }: Content): Record<string, number> => ({
  subscribers,
  ...standings,
})
