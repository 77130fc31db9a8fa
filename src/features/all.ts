import * as faces from './faces.ts'
import type { Feature } from './feature.ts'

/** The features, as server, terminal and desk walk them. */
export const features: readonly Feature[] = Object.values(faces)
