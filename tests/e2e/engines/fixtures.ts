import { test as base, expect } from '@playwright/test'
import { type EngineName, findEngine } from './find-engine.ts'
import { look } from './look.ts'
import { glance, type Tab, type TabSettings } from './tab.ts'

interface WorkerFixtures {
  engine: EngineName
  /** Starts a browser of the engine; the test file ends it. */
  openTab: (settings?: Partial<TabSettings>) => Promise<Tab>
}

export const test = base.extend<object, WorkerFixtures>({
  engine: ['firefox', { option: true, scope: 'worker' }],

  openTab: [
    async ({ engine }, use) => {
      const found = findEngine(engine)
      if ('missing' in found) throw new Error(found.missing)
      await use(async (settings) => {
        const tab = await found.start({ script: true, motion: true, cookies: true, ...settings })
        // The first picture that a browser draws can take half a second.
        await tab.open('data:text/html,warm')
        const seen = () => glance(tab, () => ({ text: document.body?.textContent }))
        await expect.poll(seen).toEqual({ text: 'warm' })
        return tab
      })
    },
    { scope: 'worker' },
  ],
})

export { expect }

/** Waits until the page looks like this. */
export function expectToSee(tab: Tab, wanted: Record<string, unknown>) {
  return expect.poll(() => glance(tab, look)).toMatchObject(wanted)
}
