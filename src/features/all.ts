import * as faces from './faces.ts'
import type { Feature, FeatureParts } from './feature.ts'

/** The features, as server, terminal and desk walk them. */
export const features: readonly Feature[] = Object.values(faces)

/** Loads what makes the codes of letters. */
export async function codesBy(partsOf: (feature: Feature) => FeatureParts) {
  const feature = features.find(({ hasCodes }) => hasCodes)
  const codes = feature && (await feature.load()).codes?.(partsOf(feature))
  if (!codes) throw new Error('a letter has a code, and no feature makes one')
  return codes
}
