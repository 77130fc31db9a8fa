import { asMoment, asText, listOf, reader } from '../shared/stored-json.ts'
import { LONGEST_WAIT } from './retry-policy.ts'
import type { Answer } from './waiting-line.ts'

/**
 * What the answers of a receiver say of it, beyond the one that they answered. Times are in
 * milliseconds since 1970.
 */
export interface Circuit {
  /** For whom it failed, and since when: for all since then. Only the first few are named. */
  readonly failing?: { readonly since: number; readonly people: readonly string[] } | undefined
  /** Since when it has been away: it failed for several people. */
  readonly awaySince?: number | undefined
  /** When it took something last. */
  readonly lastAt?: number | undefined
  /** A status or a code. */
  readonly failure?: string | undefined
  /** It answered that it is gone, and is not asked before then. */
  readonly notBefore?: number | undefined
}

/** What reads the fields of a circuit. */
export const circuitFields = {
  awaySince: asMoment,
  lastAt: asMoment,
  notBefore: asMoment,
  failure: asText,
  failing: reader<NonNullable<Circuit['failing']>>({ since: asMoment, people: listOf(asText) }),
}

export type CircuitState = 'well' | 'failing' | 'away'

export interface Answered {
  /** For whom it was. */
  readonly person: string
  readonly answer: Answer
}

/**
 * A receiver is away once it failed for this many people in a row. For one it may fail for what they
 * typed, such as where a filter in front of it refuses certain words.
 */
const SEVERAL = 3
/** A receiver that says it is gone is asked once a day, after it has taken nothing for an hour. */
const GONE_AFTER_MS = 3_600_000

/** @param several how many people's answers decide. */
export function afterAnswers<C extends Circuit>(
  circuit: C,
  answered: readonly Answered[],
  now: number,
  several = SEVERAL,
): C {
  if (answered.some(({ answer }) => answer.kind === 'taken'))
    return { ...closed(circuit), lastAt: now }
  const failed = answered.flatMap(({ person, answer }) =>
    answer.kind === 'failed' && answer.isAway ? [{ ...answer, person }] : [],
  )
  const [first] = failed
  if (!first) return circuit
  const { since = now, people: known = [] } = circuit.failing ?? {}
  const people = [...new Set([...known, ...failed.map(({ person }) => person)])].slice(0, several)
  const isAway = people.length === several
  const isGone = now - since >= GONE_AFTER_MS && failed.every((one) => one.isGone)
  return {
    ...closed(circuit),
    failing: { since, people },
    failure: first.failure,
    ...(isAway && { awaySince: since }),
    ...(isAway && isGone && { notBefore: now + LONGEST_WAIT }),
  }
}

/** The circuit after something was taken, such as the operator's test, or after their replay. */
export function closed<C extends Circuit>(circuit: C): C {
  const { failing: _, awaySince: __, failure: ___, notBefore: ____, ...rest } = circuit
  return rest as C
}

export function stateOf({ awaySince, failing }: Circuit): CircuitState {
  if (awaySince !== undefined) return 'away'
  return failing ? 'failing' : 'well'
}

/** Whether it has taken nothing of several people's for so long, in milliseconds. */
export const isAwayFor = ({ awaySince }: Circuit, ms: number, now: number): boolean =>
  awaySince !== undefined && now - awaySince >= ms
