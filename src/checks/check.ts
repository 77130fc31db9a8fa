import type { Verdict } from '../shared/verdict.ts'

/** Looks at one thing. What it finds has its code, or one that belongs to it. */
export interface Check<On, One> {
  readonly code: string
  readonly probe: (on: On) => Promise<readonly One[]> | readonly One[]
}

/** What a look finds: a code, and the data that its words need. */
export const found = <const Code extends string, const Data extends object = object>(
  code: Code,
  verdict: Verdict,
  data?: Data,
) => ({ code, verdict, ...data }) as { readonly code: Code; readonly verdict: Verdict } & Data

/** What a check finds. */
export type FindingBy<C extends Check<never, unknown>> = Awaited<ReturnType<C['probe']>>[number]

/**
 * Runs checks at the same time. @param codes of those to run; left out, all of them.
 * @returns what they find, in their order.
 */
export async function look<On, C extends Check<On, unknown>>(
  checks: readonly C[],
  on: On,
  codes?: readonly C['code'][],
): Promise<FindingBy<C>[]> {
  const picked = checks.filter(({ code }) => codes?.includes(code) ?? true)
  return (await Promise.all(picked.map(({ probe }) => probe(on)))).flat() as FindingBy<C>[]
}
