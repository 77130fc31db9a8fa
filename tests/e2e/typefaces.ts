import type { Page } from '@playwright/test'

/**
 * Which font the browser took for what.
 *
 * @param selector of elements whose own text is looked at.
 * @returns for each text, every font that has a letter in it; ` (ours)` after one that we brought.
 */
export async function fontsOf(page: Page, selector: string): Promise<Record<string, string>> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('DOM.enable')
  await browser.send('CSS.enable')
  const { root } = await browser.send('DOM.getDocument')
  const { nodeIds } = await browser.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector })
  const fonts: Record<string, string> = {}
  for (const nodeId of nodeIds) {
    const { node } = await browser.send('DOM.describeNode', { nodeId, depth: 1 })
    const text = node.children?.map((child) => child.nodeValue).join('') ?? ''
    if (text.trim() === '') continue
    const used = await browser.send('CSS.getPlatformFontsForNode', { nodeId })
    const names = used.fonts.map(
      ({ familyName, isCustomFont }) => `${familyName}${isCustomFont ? ' (ours)' : ''}`,
    )
    fonts[text] = names.toSorted().join()
  }
  await browser.detach()
  return fonts
}

/** Everything that is read on the page or its splash. */
export const ALL_TEXT = 'body :not(script, noscript, label, style)'
