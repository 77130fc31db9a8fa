import { featuresOn } from '../config/programs.ts'
import type { Feature, FeatureParts, Terminal } from '../features/feature.ts'
import product from '../product/product.ts'
import { type Telling, tell } from '../report/tell.ts'
import type { CommandWork } from '../shared/command.ts'
import type { Data, InStatus } from '../shared/report.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { runWithStore, settingsOf } from './run.ts'

/** What the work of a feature takes at the terminal. @throws OperatorError where a setting is wrong */
export const partsOf = (
  { rules: { name } }: Feature,
  { store, linkKey }: Pick<FeatureParts, 'store' | 'linkKey'>,
): FeatureParts => ({ store, linkKey, product, isOn: settingsOf(featuresOn)[name] ?? false })

/** The work of its command: what its options ask for, or its report is told. */
export const workOf = (feature: Feature): CommandWork => ({
  async fromCommandLine(options: Telling & Data, ...named) {
    const own = await feature.command?.load?.()
    if (own) return own.fromTerminal(terminalOf(feature), options, ...named)
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

const terminalOf = (feature: Feature): Terminal => ({
  withList: (how, command) =>
    runWithStore(how, (store, out, { linkKey }) =>
      command(partsOf(feature, { store, linkKey }), out),
    ),
  tell,
  accounts: async (file, options) =>
    (await import('./commands/table-file.ts')).accountsIn(file, options),
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
