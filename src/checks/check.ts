import type { Verdict } from '../shared/finding.ts'
import type { Found, FoundCode } from '../shared/found.ts'

/** Looks at one thing. What it finds has its code, or one that begins with it. */
export interface Check<On> {
  readonly code: FoundCode
  readonly probe: (on: On) => Promise<readonly Found[]> | readonly Found[]
}

/** Runs those of the checks that have these codes, at the same time; finds in the checks' order. */
export async function look<On>(
  checks: readonly Check<On>[],
  codes: readonly FoundCode[],
  on: On,
): Promise<Found[]> {
  const picked = checks.filter(({ code }) => codes.includes(code))
  return (await Promise.all(picked.map(({ probe }) => probe(on)))).flat()
}

/** What a look finds: a code, and the data that its words need. */
export const found = <const Code extends string, const Data extends object = object>(
  code: Code,
  verdict: Verdict,
  data?: Data,
) => ({ code, verdict, ...data }) as { readonly code: Code; readonly verdict: Verdict } & Data
