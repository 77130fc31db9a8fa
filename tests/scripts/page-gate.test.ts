import { expect, it, onTestFinished, vi } from 'vitest'
import { gatePage } from '../../src/web/page-gate.ts'

/** A page without a splash, whose script is on its way, and what it says to who has none. */
function openPage() {
  const root = { inert: true, dataset: {} as Record<string, string> }
  const said: unknown[] = []
  const noscript = {
    textContent: 'Signing up needs JavaScript.',
    replaceWith: (text: string) => void said.push(text),
  }
  const scripts: Record<string, () => void>[] = []
  vi.stubGlobal('document', {
    getElementById: (id: string) => (id === 'root' ? root : null),
    createElement: () => ({}),
    querySelector: () => noscript,
    head: { append: (script: (typeof scripts)[number]) => void scripts.push(script) },
  })
  vi.stubGlobal('localStorage', { setItem() {} })
  onTestFinished(() => void vi.unstubAllGlobals())
  gatePage('/assets/index.js')
  const [script = {}] = scripts
  expect(script).toMatchObject({ type: 'module', src: '/assets/index.js' })
  return { root, said, script }
}

it('a script that is lost, or that an old browser cannot read, is said in its place', () => {
  for (const how of ['onerror', 'onload']) {
    const { said, script } = openPage()
    script[how]?.()
    expect(said, how).toEqual(['Signing up needs JavaScript.'])
  }
})

it('one that runs is not', () => {
  const { root, said, script } = openPage()
  root.dataset.script = 'runs'
  script.onload?.()
  expect(said).toEqual([])
})
