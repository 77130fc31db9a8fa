import type { FeaturesOn } from '../config/programs.ts'
import { features } from '../features/all.ts'
import type { ServerGiven, ServerPart } from '../features/feature.ts'
import type { RequestSaid } from '../shared/feature-rules.ts'
import type { BuiltLanguages } from './http/built-languages.ts'
import { parameterOf } from './http/parameters.ts'

/** What a feature adds to the server. */
export interface OfFeature {
  readonly part: ServerPart
  /** What it names in the query of a link. */
  readonly parameter: string | undefined
}

export interface ServerPartsOptions {
  /** By default, those that are always on. */
  readonly features?: FeaturesOn
  readonly given: Pick<ServerGiven, 'store' | 'product' | 'settings'>
  /** Signs session cookies and the links of letters. */
  readonly linkKey: Buffer
  /** The folder that the build's folder is in. */
  readonly root: string
}

/** The parts of the features that are on. */
export async function serverParts(
  { features: on = {}, given, linkKey, root }: ServerPartsOptions,
  languages: BuiltLanguages,
): Promise<OfFeature[]> {
  const all = features.filter(({ rules }) => on[rules.name] ?? !rules.isOn)
  return Promise.all(
    all.map(async ({ server, rules: { parameter } }) => {
      const part = (await server?.())?.serverPart({ ...given, linkKey, root, languages }) ?? {}
      return { part, parameter: parameter?.name }
    }),
  )
}

/** What features keep of how somebody came who signs up. */
export const saidBy =
  (parts: readonly OfFeature[]) =>
  (request: Parameters<typeof parameterOf>[1]): RequestSaid =>
    Object.assign(
      {},
      ...parts.map(({ part, parameter = '' }) =>
        part.saidBy?.(parameterOf(parameter, request) ?? ''),
      ),
    )

/** What features put into the page "Confirmed". */
export const slotOf = (parts: readonly OfFeature[]) => (addressId: string) =>
  parts.map(({ part }) => part.slotOf?.(addressId) ?? '').join('')
