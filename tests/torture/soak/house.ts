import { join } from 'node:path'
import { type RunningSite, startSite } from '../../fixtures/running-site.ts'
import { gauge, memoryOf } from './memory.ts'

export interface HouseOptions {
  readonly folder: string
  /** The source and the build that it begins with. */
  readonly root: string
  readonly port: string
  readonly env: Readonly<Record<string, string>>
}

/** The server, through all its lives: which of them are there now, and where. */
export function house({ folder, root: firstRoot, port, env: firstEnv }: HouseOptions) {
  const lives: RunningSite[] = []
  /** Those that take visitors now: one, and two for a moment. */
  let serving: RunningSite[] = []
  let root = firstRoot
  let env = firstEnv

  async function begin(at = port): Promise<RunningSite> {
    const site = await startSite({ root, folder, port: at, env: { ...env, ...gauge(folder) } })
    lives.push(site)
    serving.push(site)
    return site
  }

  async function leave(site: RunningSite | undefined, how: 'end' | 'kill') {
    // As a proxy does: nobody new is sent there, if there is another.
    const others = serving.filter((one) => one !== site)
    if (others.length > 0) serving = others
    await site?.[how]()
    serving = others
  }

  return {
    folder,
    dataDir: join(folder, 'data'),
    databaseFile: join(folder, 'data/subscribers.sqlite'),
    begin,
    /** Where a visitor is sent; where nobody answers, if no server runs. @param chance from 0 up to 1. */
    url: (chance: number) =>
      serving[Math.floor(chance * serving.length)]?.url ?? `http://127.0.0.1:${port}`,
    /** Ends it in good order, and begins it again. */
    async restart() {
      await leave(serving[0], 'end')
      await begin()
    },
    /** Another one takes its place before it ends, and then a third at the usual address. */
    async rollOver() {
      const [old] = serving
      const between = await begin('0')
      await leave(old, 'end')
      await begin()
      await leave(between, 'end')
    },
    /** Ends it in good order, and does something while nobody answers. */
    async whileDown(work: () => Promise<void>) {
      await leave(serving[0], 'end')
      await work()
      await begin()
    },
    /** `kill -9`, and begun again. */
    async kill() {
      await leave(serving[0], 'kill')
      await begin()
    },
    /** What the next life runs, and with which settings beside those of before. */
    change(to: { readonly root: string; readonly env: Readonly<Record<string, string>> }) {
      root = to.root
      env = { ...env, ...to.env }
    },
    memory: () => memoryOf(folder, serving[0]?.pid() ?? 0),
    lives: () => lives.length,
    log: () => lives.map((site) => site.log()).join(''),
    async end() {
      for (const site of serving) await site.end()
      serving = []
    },
  }
}

export type House = ReturnType<typeof house>
