import type { InStatus } from '../../shared/report.ts'
import { ASK } from '../../store/delivery-ledger.ts'
import type { FeatureParts } from '../feature.ts'
import { cameFigure, reportOfCame } from './report.ts'
import { cameInBrief, whoCame } from './who-came.ts'

export const report = async ({ store }: FeatureParts) => reportOfCame(await whoCame(store))

/** Once there is a letter. */
export async function inStatus({ store }: FeatureParts): Promise<InStatus> {
  const letters = (await store.ledger.announcements()).filter(({ id }) => id !== ASK)
  if (letters.length === 0) return {}
  const act = { code: 'came', words: 'Who', command: 'came' }
  return { states: [{ ...cameFigure(await cameInBrief(store)), act }] }
}
