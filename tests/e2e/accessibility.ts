import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

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
  await endMotion(page)
  // Otherwise it sums up in a window of its own, for most of what it costs. No frame is of another origin.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  if (without !== undefined) axe.exclude(without)
  const { violations } = await axe
    .options({
      runOnly: WCAG,
      rules: { 'color-contrast-enhanced': { enabled: contrast === 'AAA' } },
      resultTypes: ['violations'],
    })
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Contrast is measured on the colours that stay. */
async function endMotion(page: Page) {
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
  })
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
