import type { InStatus } from '../../shared/report.ts'
import type { FeatureParts } from '../feature.ts'
import { cameFigure, reportOfCame } from './report.ts'
import { cameInBrief, whoCame } from './who-came.ts'

export const report = async ({ store }: FeatureParts) => reportOfCame(await whoCame(store))

export async function inStatus({ store }: FeatureParts): Promise<InStatus> {
  const found = await cameInBrief(store)
  if (!found) return {}
  const act = { code: 'came', words: 'Who', command: 'came' }
  return { states: [{ ...cameFigure(found), act }] }
}
