import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Share } from '../../src/web/parts/share.tsx'
import { phrased } from '../../src/words/phrases.ts'
import { products } from '../fixtures/products.ts'

it('what is passed on is the pitch as it was written, without the breaks and joiners of the page', () => {
  for (const [language, pitch] of [
    ['ja', products.hatsukaze.pitch],
    ['de', 'Ein E-Book im Monat.'],
  ] as const) {
    const shown = phrased(pitch, language)
    expect(shown).not.toBe(pitch)
    const words = ['Pass it on', 'Email', 'Copy link', 'Link copied']
    const share = { name: 'Ours', pitch: shown, words, link: 'https://ours.example/?ref=share-' }
    const html = renderToString(createElement(Share, share))
    expect(html).toContain(`data-text="${pitch}"`)
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target = '']) => target)
    const texts = targets.filter((target) => target.includes('Ours'))
    expect(texts).toHaveLength(3)
    for (const text of texts) expect(decodeURIComponent(text)).toContain(`Ours: ${pitch}`)
  }
})
