import type { Finding } from '../shared/finding.ts'
import type { Coded } from '../shared/refused.ts'
import {
  asCount,
  asTrue,
  isText,
  listOf,
  objectIn,
  oneOf,
  type Read,
  reader,
  storedTime,
} from '../shared/stored-json.ts'

/**
 * What a run is at. `begin`: the desk holds it for the command that it starts; `check`: before its
 * letters; `send`; `stop`: the last of them are under way.
 */
const runSteps = ['begin', 'check', 'send', 'stop'] as const

/** What a run notes of itself. No address and no secret stands in it. */
export interface RunNotes extends NotesKept {
  readonly next?: (typeof runSteps)[number] | undefined
  /** Since when it sends, to how many, and how many had ended before, whether well or not. */
  readonly sending?: Sending | undefined
  /** What is wrong, of what its last check found. */
  readonly found?: readonly Finding[] | undefined
  /** `undefined` until it ends by itself. */
  readonly end?: RunEnded | undefined
  /** Whom it is for, as the desk names them; left out where the desk has no name for that. */
  readonly stage?: string | undefined
  readonly isFromDesk?: boolean | undefined
}

/** What the next run of the same announcement goes on with. */
interface NotesKept {
  /** As `rateText` gives it: `2000/h`. */
  readonly rate?: string | undefined
  /** From 0 to 1. */
  readonly stopShare?: number | undefined
  /** What failed, and who left, counts of letters since then; left out, of all. */
  readonly countedFrom?: Date | undefined
  /** Whether the page was seen open before a letter left. */
  readonly sawOpen?: boolean | undefined
  /** The options by which the desk began its last run. */
  readonly options?: readonly string[] | undefined
}

export interface Sending {
  readonly since: Date
  readonly people: number
  readonly before: number
}

export interface RunEnded {
  /** A code: how sending ended, or what kept it from that. */
  readonly why: string
  /** The mail server's last answer, or the words of a fault; else empty. */
  readonly answer: string
  /** Why nothing was sent, or nothing more. */
  readonly refusal?: Coded | undefined
}

/** Those of a run that the next one goes on with. */
export function notesKept(notes: RunNotes): NotesKept {
  const { rate, stopShare, countedFrom, sawOpen, options } = notes
  return { rate, stopShare, countedFrom, sawOpen, options }
}

/** What may be an address, also with a quoted local part: it is never kept with a run. */
const ADDRESS = /("[^"]*"|[^\s"<>@\\]+)@[^\s"<>@\\]+/g

/** One line of text, as it is stored. */
export const notesText = (notes: RunNotes) =>
  JSON.stringify(notes, (_, value) =>
    typeof value === 'string' ? value.replace(ADDRESS, '(address)') : value,
  )

const LONGEST = 2000
const MOST = 50

const asLine = (stored: unknown) => (isText(stored) ? stored.slice(0, LONGEST) : undefined)

/** Its other members may be anything, which the words for it have to expect. */
function coded<T extends Coded>(stored: unknown): T | undefined {
  const one = objectIn(stored)
  return isText(one?.code) ? (one as unknown as T) : undefined
}

/** A finding is named by these, in an option of a command as well. */
const asFound: Read<Finding> = (stored) => {
  const { code, language = '', about = '' } = objectIn(stored) ?? {}
  const isNamed = [code, language, about].every((one) => isText(one) && !one.includes('\0'))
  return isNamed ? coded<Finding>(stored) : undefined
}

const fieldsIn = reader<RunNotes>(
  {},
  {
    rate: asLine,
    stopShare: (stored) => (typeof stored === 'number' ? stored : undefined),
    countedFrom: storedTime,
    sawOpen: asTrue,
    options: listOf(asLine, MOST),
    next: oneOf(runSteps),
    sending: reader<Sending>({ since: storedTime, people: asCount, before: asCount }),
    found: listOf(asFound, MOST),
    end: reader<RunEnded>({ why: asLine, answer: asLine }, { refusal: coded<Coded> }),
    stage: asLine,
    isFromDesk: asTrue,
  },
)

/** What is stored, which anybody may have written. */
export const notesIn = (stored: unknown): RunNotes => fieldsIn(stored) ?? {}
