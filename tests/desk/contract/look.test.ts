import { expect, it } from 'vitest'
import { deskLookOf } from '../../../src/desk/contract/look.ts'
import { AA, contrast } from '../../../src/shared/colour.ts'
import { brands } from '../../fixtures/brands.ts'

const rules = (style: string) => style.split('@media').filter((rule) => rule !== '')
const valuesIn = (rule: string) =>
  Object.fromEntries(
    [...rule.matchAll(/--([\w-]+):(#\w{3,6})/g)].map(([, name, value]) => [name, value]),
  )

it('the desk has the grounds of the brand, and on each its signs and words are readable', () => {
  const { brotzeit, kestrel, meridian } = brands
  expect(deskLookOf(brotzeit)).toMatchObject({ schemes: 'light', ground: '#fbf5ea' })
  expect(deskLookOf(kestrel)).toMatchObject({ schemes: 'light dark', ground: '#fbf7f2' })
  expect(rules(deskLookOf(kestrel).style)).toHaveLength(2)
  // Its style sheets have that of Meridian.
  expect(deskLookOf(meridian)).toMatchObject({ schemes: 'dark', ground: '#000000' })
  for (const brand of Object.values(brands).filter(({ look }) => look))
    for (const rule of rules(deskLookOf(brand).style)) {
      const { ground = '', raised = '', accent = '', ...others } = valuesIn(rule)
      for (const name of ['text', 'quiet', 'warn', 'bad', 'good'])
        for (const on of [ground, raised])
          expect(contrast(others[name] ?? '', on), `${brand.name}: ${name}`).toBeGreaterThan(AA)
      const onAccent = others['on-accent'] === '#fff' ? '#ffffff' : '#000000'
      expect(contrast(onAccent, accent), `${brand.name}: a button`).toBeGreaterThan(AA)
    }
})
