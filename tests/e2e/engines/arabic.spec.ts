import { languagesOf } from '../../../src/product/languages.ts'
import { products } from '../../fixtures/products.ts'
import { startBookshop } from '../confirming-site.ts'
import { leftToTorture } from '../long.ts'
import { expect, test } from './fixtures.ts'
import { glance, type Tab } from './tab.ts'

leftToTorture()

// The second letter goes to whom the first did not.
test.describe.configure({ mode: 'serial' })

const [{ words }] = languagesOf(products.librairie)
let shop: Awaited<ReturnType<typeof startBookshop>>
let tab: Tab | undefined

test.beforeAll(async () => {
  shop = await startBookshop()
})
test.afterEach(() => tab?.close())
test.afterAll(() => shop?.stop())

/** All that these tests ask of a page. Runs in the page, alone. */
function seen() {
  const { lang, dir, scrollWidth } = document.documentElement
  const field = document.querySelector('input[type=email]')
  const splash = document.getElementById('splash')
  return {
    isComplete: document.readyState === 'complete',
    /** The splash is over, and nothing is kept from the keyboard. */
    isUncovered:
      (!splash || getComputedStyle(splash).visibility === 'hidden') &&
      !document.getElementById('root')?.inert,
    path: location.pathname,
    lang,
    dir,
    // As wide as the window, and no wider.
    isFitting: scrollWidth <= innerWidth,
    heading: document.querySelector('h1')?.textContent,
    says: document.querySelector('[role=status]')?.textContent,
    /** Where an address is written from, whatever is around it. */
    typed: field && getComputedStyle(field).direction,
    /** The words of a button, the name of another element. */
    focus:
      document.activeElement?.closest('button')?.textContent ?? document.activeElement?.tagName,
  }
}

for (const [how, script, thanks] of [
  ['with', true, '/ar/'],
  ['without', false, '/ar/subscribed'],
] as const)
  test(`${how} script an Arabic reader signs up, confirms, gets the letter and leaves in Arabic`, async ({
    openTab,
  }) => {
    const visitor = await openTab({ script })
    tab = visitor
    const expectPage = (wanted: Partial<Record<keyof ReturnType<typeof seen>, unknown>>) =>
      expect
        .poll(() => glance(visitor, seen))
        .toMatchObject({
          isComplete: true,
          lang: 'ar',
          dir: 'rtl',
          isFitting: true,
          ...wanted,
        })
    const email = `${how}@mail.example.com`
    /** Opens the link of this kind in the last letter, and answers with a button of its page. */
    const answer = async (
      kind: 'confirm' | 'unsubscribe',
      button: string,
      asks: string,
      answered: string,
    ) => {
      const link = await shop.linkTo(email, kind)
      expect(link).toContain(`${shop.own}/ar/${kind}/`)
      await visitor.open(link)
      await expectPage({ path: new URL(link).pathname, heading: asks })
      await visitor.press('Tab')
      await expectPage({ focus: button })
      await visitor.press('Enter')
      await expectPage({ heading: answered })
    }

    await visitor.open(`${shop.own}/ar/`)
    await expectPage({ path: '/ar/', heading: words.heading, typed: 'ltr' })
    await expectPage({ isUncovered: true })
    await visitor.press('Tab')
    await expectPage({ focus: 'INPUT' })
    await visitor.type(email)
    await visitor.press('Enter')
    await expectPage({ path: thanks, says: words.subscribed + words.letterSent })

    await answer('confirm', words.yes, words.confirmHeading, words.confirmedHeading)
    await shop.announce()
    expect((await shop.relay.messageTo(email)).subject).toBe('فتحنا')
    await answer(
      'unsubscribe',
      words.unsubscribeButton,
      words.unsubscribeHeading,
      words.unsubscribedHeading,
    )
  })
