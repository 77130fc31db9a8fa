import type { Page } from '@playwright/test'
import axe from 'axe-core'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']

/**
 * What axe finds against WCAG A and AA and common good practice, one line a rule; and the text that
 * has less contrast than AAA asks for, where that is wanted.
 *
 * @param without what is not ours to judge, as a selector.
 */
export async function axeFindings(
  page: Page,
  { contrast = 'AA', without }: { contrast?: 'AA' | 'AAA'; without?: string } = {},
): Promise<string[]> {
  await transitionsEnd(page)
  // Axe's own builder for Playwright sums up in a new window each time, for most of what a run costs.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ({ tags, isEnhanced, without }) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
        without === undefined ? document : { exclude: [without] },
        {
          runOnly: tags,
          rules: { 'color-contrast-enhanced': { enabled: isEnhanced } },
          resultTypes: ['violations'],
        },
      )
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    },
    { tags: WCAG, isEnhanced: contrast === 'AAA', without },
  )
}

/** Contrast is measured on the colours that stay. */
async function transitionsEnd(page: Page) {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map((transition) => transition.finished),
    ),
  )
}

/**
 * What the browser offers to assistive technology, each as its role and name. Asked of the browser
 * itself: Playwright's own snapshot does not know `inert`.
 */
export async function readOut(page: Page): Promise<string[]> {
  const browser = await page.context().newCDPSession(page)
  const { nodes } = await browser.send('Accessibility.getFullAXTree')
  await browser.detach()
  return nodes
    .filter(({ ignored, name }) => !ignored && name?.value)
    .map(({ role, name }) => `${role?.value} ${name?.value}`)
    .filter((line) => !line.startsWith('InlineTextBox'))
}
