import { asCount, asText, listOf, reader, storedTime } from '../shared/stored-json.ts'

/** What a list remembers of its copies. */
export interface BackupRecord {
  /** The oldest first. */
  readonly kept: readonly KeptCopy[]
  readonly rehearsal?: Rehearsal | undefined
  /** The last one without a fault. */
  readonly goodRehearsal?: Rehearsal | undefined
}

/** A copy that the list made. */
export interface KeptCopy {
  /** Absolute. */
  readonly folder: string
  readonly name: string
  readonly at: Date
  readonly bytes: number
  /** The rule in force when it was made, such as `7,4,12`. */
  readonly keep: string
}

/** A restore that was tried in a scratch folder and compared. */
export interface Rehearsal {
  readonly at: Date
  /** What went wrong, in a sentence; `undefined` when everything came back as it was. */
  readonly fault?: string | undefined
}

/** The bytes of `link.key` and `invitation.key`, as far as they exist. */
export type CopiedKeys = Readonly<Record<string, Uint8Array>>

/** How many there are in a list or in a copy. */
export interface Counts {
  readonly subscribers: number
  readonly announcements: number
}

/** What a copy says of itself. */
export interface CopyNote {
  readonly at: Date
  readonly keys: CopiedKeys
}

export interface CheckedCopy extends CopyNote {
  readonly counts: Counts
  /** Of the `link.key` by which its people are known, if any are. */
  readonly fingerprint: string | undefined
}

/** What came of a copy that was merged into a list. */
export interface Merged {
  readonly added: number
  readonly known: number
  /** Addresses that do not come back, since they were forgotten. */
  readonly forgotten: number
  /** Rows that cannot be read, and stay out. */
  readonly refused: number
  readonly announcements: number
  /** How many letters were open when the copy was made: they are `uncertain`. */
  readonly stillToTell: number
  /** Where the button of the open page leads, if that came from the copy. */
  readonly opening?: string | undefined
}

/** The same with a copy that is added; one of the same place is replaced. */
export function withCopy(record: BackupRecord, copy: KeptCopy): BackupRecord {
  const { kept } = withoutCopies(record, [copy])
  return { ...record, kept: [...kept, copy].toSorted((a, b) => Number(a.at) - Number(b.at)) }
}

export function withoutCopies(
  record: BackupRecord,
  gone: readonly Pick<KeptCopy, 'folder' | 'name'>[],
): BackupRecord {
  const isGone = ({ folder, name }: KeptCopy) =>
    gone.some((one) => one.folder === folder && one.name === name)
  return { ...record, kept: record.kept.filter((one) => !isGone(one)) }
}

/** The same with what came of a rehearsal. */
export const withRehearsal = (record: BackupRecord, at: Date, fault?: string): BackupRecord => ({
  ...record,
  rehearsal: { at, fault },
  ...(fault === undefined && { goodRehearsal: { at } }),
})

const rehearsalIn = reader<Rehearsal>({ at: storedTime }, { fault: String })
const keptIn = reader<KeptCopy>({
  ...{ folder: asText, name: asText, at: storedTime, bytes: asCount, keep: asText },
})
const copiesIn = reader<Partial<BackupRecord>>(
  {},
  {
    kept: listOf(keptIn),
    rehearsal: rehearsalIn,
    goodRehearsal: rehearsalIn,
  },
)

/** Reads a stored record; what cannot be read is not known. */
export const recordIn = (stored: unknown): BackupRecord => ({
  kept: [],
  ...copiesIn(stored),
})
