import type { Page } from '@playwright/test'
import { expect, long, SERVER } from './fixtures.ts'
import { openPageWithoutScript, SIGN_IN, signUp, THANK_YOU, WITH_A_SCREEN } from './page.ts'

interface Person {
  /** In kilobits a second, and milliseconds of a round trip. */
  readonly line: readonly [kbits: number, latency: number]
  /** How often slower their processor is; that of a phone of 2017 six times. */
  readonly slower?: number
  readonly losesCookies?: boolean
  /** What they do before the page has signed in, and at once after it. */
  readonly before?: Act
  readonly after: Act
}

type Act = (page: Page, address: string) => Promise<unknown>

const SLOW = [50, 300] as const
const THREE_G = [400, 400] as const

const type: Act = (page, address) => signUp(page).email.pressSequentially(address)
/** As a program does it that has the address. */
const fill: Act = (page, address) => signUp(page).email.fill(address)
const fillAll: Act = (page, address) =>
  page.evaluate((address) => {
    for (const input of document.querySelectorAll('input'))
      input.value = input.type === 'email' ? address : 'Ada Lovelace'
  }, address)
const enter: Act = (page) => signUp(page).email.press('Enter')

const people: Readonly<Record<string, Person>> = {
  'types while the script comes': { line: SLOW, before: type, after: enter },
  'has a program fill in every field': { line: SLOW, before: fillAll, after: enter },
  'presses Enter again after a mistake': {
    line: SLOW,
    before: (page, address) => type(page, address.replace(/@.*/, '')),
    after: async (...given) => {
      await enter(...given)
      await fill(...given)
      await enter(...given)
    },
  },
  'is on 3G with such a phone': { line: THREE_G, slower: 6, before: type, after: enter },
  'and has a program fill in every field': {
    ...{ line: THREE_G, slower: 6, before: fillAll, after: enter },
  },
  'loses their session': { line: SLOW, losesCookies: true, before: type, after: enter },
}

long(
  'people on slow lines are on the list, and none of them is quarantined',
  SERVER,
  async ({ browser, freshServer }) => {
    await Promise.all(
      Object.entries(people).map(async ([who, person], i) => {
        const context = await browser.newContext({ userAgent: WITH_A_SCREEN })
        const page = await context.newPage()
        const cdp = await context.newCDPSession(page)
        const [kbits, latency] = person.line
        const throughput = (kbits * 1000) / 8
        await cdp.send('Network.emulateNetworkConditions', {
          ...{ offline: false, latency },
          ...{ downloadThroughput: throughput, uploadThroughput: throughput },
        })
        await cdp.send('Emulation.setCPUThrottlingRate', { rate: person.slower ?? 1 })
        const signedIn = page.waitForResponse(
          (response) => response.request().method() === 'POST' && SIGN_IN.test(response.url()),
        )
        await openPageWithoutScript(page, freshServer.url)
        await person.before?.(page, `p${i}@example.com`)
        await signedIn
        if (person.losesCookies) await context.clearCookies()
        await person.after(page, `p${i}@example.com`)
        await expect(signUp(page).status, who).toHaveText(THANK_YOU)
        await context.close()
      }),
    )
    expect(freshServer.subscribers()).toHaveLength(6)
    expect(freshServer.quarantined()).toEqual([])
  },
)
