import { featuresOn } from '../config/programs.ts'
import type { Feature, FeatureParts } from '../features/feature.ts'
import product from '../product/product.ts'
import { type Telling, tell } from '../report/tell.ts'
import type { Command } from '../shared/command.ts'
import type { Data, InStatus } from '../shared/report.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { runWithStore, settingsOf } from './run.ts'

/** What the work of a feature takes at the terminal. @throws OperatorError where a setting is wrong */
export const partsOf = (
  { rules: { name } }: Feature,
  { store, linkKey }: Pick<FeatureParts, 'store' | 'linkKey'>,
): FeatureParts => ({ store, linkKey, product, isOn: settingsOf(featuresOn)[name] ?? false })

/** The commands of features: each tells a report, or does what its options ask for. */
export const commandsOf = (features: readonly Feature[]): Command[] =>
  features.flatMap((feature) =>
    feature.command ? [{ ...feature.command, load: async () => workOf(feature) }] : [],
  )

const workOf = (feature: Feature) => ({
  async fromCommandLine(options: Telling & Data) {
    const { report, chosen, acts } = await feature.load()
    const act = chosen?.(options)
    await runWithStore({ looks: !act }, async (store, out, { linkKey }) => {
      const parts = partsOf(feature, { store, linkKey })
      if (!act) return tell(await report(parts), options, out)
      const done = await acts?.[act.code]?.(act.data, parts)
      if (options.json) await out.json(done?.data)
      else out.say(String(done?.said))
      return exitCodes.done
    })
  },
})

/** How far ahead an announcement goes to each address. @throws OperatorError StoreUnavailable */
export async function orderOf(feature: Feature, opened: Pick<FeatureParts, 'store' | 'linkKey'>) {
  const { order } = await feature.load()
  return order?.(partsOf(feature, opened))
}

/** What `status` has of those that are on. @throws OperatorError StoreUnavailable */
export async function inStatusOf(
  features: readonly Feature[],
  opened: Pick<FeatureParts, 'store' | 'linkKey'>,
): Promise<InStatus[]> {
  const all: InStatus[] = []
  for (const feature of features) {
    const parts = partsOf(feature, opened)
    const { inStatus } = parts.isOn ? await feature.load() : {}
    if (inStatus) all.push(await inStatus(parts))
  }
  return all
}
