import { expect, it } from 'vitest'
import product from '../../../product.config.ts'
import type { EmbedShown } from '../../../src/features/embed/shown.ts'
import { openDesk } from '../../fixtures/desk.ts'
import { writeSiteFixture } from '../../fixtures/site.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const publicUrl = 'https://example.com'

/** What the page is given, with a small build in each of these languages. */
async function shown(overrides: Parameters<typeof openDesk>[0] = {}, languages?: string[]) {
  const root = tempDir()
  writeSiteFixture(root, { ...(languages && { languages }) })
  const desk = await openDesk({ root, env: { PUBLIC_URL: publicUrl }, ...overrides })
  const { page } = await desk.get('/desk/embed')
  expect(page).toMatchObject({ page: 'feature', feature: 'embed' })
  return (page as unknown as { shown: EmbedShown }).shown
}

it('shows what the command prints, the policy, and the sites that may post', async () => {
  const page = await shown({
    env: { PUBLIC_URL: publicUrl, EMBED_ORIGINS: 'https://blog.example.com' },
  })
  expect(page).toMatchObject({
    origins: ['https://blog.example.com'],
    policy: { form: "form-action 'self' https://example.com" },
    forms: [{ code: 'en' }],
  })
  expect(page.forms[0]?.form).toMatch(/^<form action="https:\/\/example\.com\/join"/)
  expect(page.forms[0]?.script).toContain('integrity="sha384-')
})

it('shows each language of the product', async () => {
  const several = { ...product, languages: { ar: {} } } as unknown as typeof product
  const { forms } = await shown({ product: several }, ['en', 'ar'])
  expect(forms.map(({ code }) => code)).toEqual(['en', 'ar'])
})

it('has nothing to paste without a public address, or a build', async () => {
  expect(await shown({ env: {} })).toMatchObject({ forms: [], policy: null, origins: [] })
  expect(await shown({ root: '/nowhere' })).toMatchObject({ forms: [] })
})
