import type { Feature, FeatureParts, Opened, Surroundings, Terminal } from '../features/feature.ts'
import { productFolder } from '../product/folders.mjs'
import product from '../product/product.ts'
import { type Telling, tell } from '../report/tell.ts'
import type { CommandWork } from '../shared/command.ts'
import type { SettingReader } from '../shared/feature-rules.ts'
import type { Data, InStatus } from '../shared/report.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { run, runWithStore, setting, settingsOf } from './run.ts'

/** What is around a feature at the terminal. @throws OperatorError where a setting is wrong */
const around = ({ rules }: Feature): Surroundings => ({
  product,
  root: productFolder,
  isOn: settingsOf((reader) => rules.isOn?.(reader as SettingReader, product) ?? true),
  get: setting,
})

/** What the work of a feature takes at the terminal. @throws OperatorError where a setting is wrong */
export const partsOf = (feature: Feature, { store, linkKey, dataDir }: Opened): FeatureParts => ({
  store,
  linkKey,
  dataDir,
  ...around(feature),
})

/** The work of its command: what its options ask for, or its report is told. */
export const workOf = (feature: Feature): CommandWork => ({
  async fromCommandLine(options: Telling & Data, ...named) {
    const own = await feature.command?.load?.()
    if (own) return own.fromTerminal(terminalOf(feature), options, ...named)
    const { report, chosen, acts } = await feature.load()
    const act = chosen?.(options)
    await runWithStore({ looks: !act }, async (store, out, opened) => {
      const parts = partsOf(feature, { store, ...opened })
      if (!act) return report ? tell(await report(parts), options, out) : exitCodes.done
      const done = await acts?.[act.code]?.(act.data, parts)
      if (options.json) await out.json(done?.data)
      else out.say(String(done?.said))
      return exitCodes.done
    })
  },
})

const terminalOf = (feature: Feature): Terminal => ({
  around: around(feature),
  withoutList: (command) => run({}, command),
  withList: (how, command) =>
    runWithStore(how, (store, out, opened) => command(partsOf(feature, { store, ...opened }), out)),
  tell,
  accounts: async (file, options) =>
    (await import('./commands/table-file.ts')).accountsIn(file, options),
})

/** How far ahead an announcement goes to each address. @throws OperatorError StoreUnavailable */
export async function orderOf(feature: Feature, opened: Opened) {
  const { order } = await feature.load()
  return order?.(partsOf(feature, opened))
}

/** What `status` has of those that are on. @throws OperatorError StoreUnavailable */
export async function inStatusOf(
  features: readonly Feature[],
  opened: Opened,
): Promise<InStatus[]> {
  const all: InStatus[] = []
  for (const feature of features) {
    const parts = partsOf(feature, opened)
    const { inStatus } = parts.isOn ? await feature.load() : {}
    if (inStatus) all.push(await inStatus(parts))
  }
  return all
}
