import { expect, it, onTestFinished, vi } from 'vitest'
import { fetchAfter } from '../../src/web/fetch-after.ts'

it('what only a submit needs is fetched once what makes the form work is there', () => {
  const links: { href: string; rel: string; crossOrigin: string; onload?: () => void }[] = []
  vi.stubGlobal('document', {
    createElement: () => ({}),
    head: { append: (link: (typeof links)[number]) => void links.push(link) },
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const asked = () => links.map(({ href }) => href)
  fetchAfter('/assets/index.js', ['/assets/one.js', '/assets/two.js'])
  expect(asked()).toEqual(['/assets/index.js'])
  links[0]?.onload?.()
  expect(asked()).toEqual(['/assets/index.js', '/assets/one.js', '/assets/two.js'])
  // As a script of a module is asked for, so that it is not fetched twice.
  for (const { rel, crossOrigin } of links)
    expect([rel, crossOrigin]).toEqual(['modulepreload', ''])
})
