import { Refused } from '../shared/refused.ts'
import type { BackUpRefusal } from './back-up/refusals.ts'
import type { UpdateRefusal } from './update/refusals.ts'

/** Why upkeep refuses a task, with the data that a person needs. */
export type UpkeepRefusal = BackUpRefusal | UpdateRefusal

/** @returns the error to throw. */
export const refused = (why: UpkeepRefusal, options?: ErrorOptions) => new Refused(why, options)
