import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { embed } from '../../../src/features/embed/command.ts'
import type { Surroundings } from '../../../src/features/feature.ts'
import { languagesOf } from '../../../src/product/languages.ts'
import type { Product } from '../../../src/shared/product.ts'
import { OperatorError } from '../../../src/terminal/operator-error.ts'
import { writeSiteFixture } from '../../fixtures/site.ts'
import { listening } from '../../fixtures/spoken.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const publicUrl = 'https://example.com'
const BLOG = 'https://blog.example.com'
const several = { name: 'Meridian', language: 'en', languages: { de: {}, ar: {} } }

type Given = Parameters<typeof embed>[0] & {
  readonly root?: string
  readonly publicUrl?: string | null
  readonly origins?: readonly string[]
}

async function said(given: Given = {}, of: unknown = { name: 'Meridian' }) {
  const product = of as Product
  const { root = tempDir(), publicUrl: at = publicUrl, origins = [BLOG], ...options } = given
  if (!given.root)
    writeSiteFixture(root, { languages: languagesOf(product).map(({ code }) => code) })
  const { out, said, result } = listening()
  const set: Record<string, unknown> = { PUBLIC_URL: at, EMBED_ORIGINS: origins }
  const get = ((name: string) => set[name]) as Surroundings['get']
  const code = await embed(options, { product, root, isOn: true, get }, out)
  return { code, said: said.join('\n'), result: result() }
}

describe('embed', () => {
  it('prints what to paste, and apart from it what a policy and the settings need', async () => {
    const { code, said: remarks, result } = await said({ page: `${BLOG}/pricing` })
    expect(code).toBe(0)
    expect(result).toMatch(/^<form action="https:\/\/example\.com\/join" method=post lang="en">/)
    expect(result).toContain(`name=back value="${BLOG}/pricing#joined"`)
    expect(result.trim().split('\n').at(-1)).toMatch(/^<script src=.* integrity=/)
    expect(remarks).toContain(`form-action ${BLOG} ${publicUrl}`)
    expect(remarks).toContain(`script-src ${publicUrl}; connect-src ${publicUrl}`)
    expect(remarks).toContain(`Forms are taken from ${BLOG} alone`)
  })

  it('says what is to be set where no site is named yet', async () => {
    const { said: remarks } = await said({ origins: [] })
    expect(remarks).toContain('EMBED_ORIGINS is not set, so')
    expect(remarks).toContain(
      'set it to the address of your site, like EMBED_ORIGINS=https://blog.example.com',
    )
  })

  it('prints each language of the product, or one', async () => {
    const all = (await said({}, several)).result
    for (const code of ['en', 'de', 'ar'])
      expect(all).toContain(`<!-- ${code} -->\n<form action="${publicUrl}/${code}/join"`)
    const { result } = await said({ language: 'de' }, several)
    expect(result).toMatch(/^<form action="https:\/\/example\.com\/de\/join"/)
    expect(result).not.toContain('/ar/')
  })

  it('opens a window of its own from a frame', async () => {
    expect((await said({ frame: true })).result).toContain(' target=_blank>')
  })

  it('prints JSON for programs', async () => {
    const { forms, policy } = JSON.parse((await said({ json: true })).result)
    expect(forms).toMatchObject([{ code: 'en', form: expect.stringContaining('<form') }])
    expect(policy.form).toBe(`form-action 'self' ${publicUrl}`)
  })

  it.each<[Given, RegExp]>([
    [{ publicUrl: null }, /^Set PUBLIC_URL, where the form posts/],
    [{ page: 'https://evil.example/' }, /^--page: https:\/\/evil\.example is not in EMBED_ORIGINS/],
    [{ page: 'blog' }, /^--page: is "blog", must be a page like/],
    [{ page: 'http://blog.example.com/' }, /must be a page like/],
    [{ page: `${BLOG}/`, frame: true }, /^Name --page or --frame/],
    [{ language: 'fr' }, /^--language: is "fr", must be one of en$/],
    [{ root: '/nowhere' }, /^The page is not built/],
  ])('is called wrongly with %o', async (given, sentence) => {
    const failed = said(given)
    await expect(failed).rejects.toThrow(sentence)
    await expect(failed).rejects.toBeInstanceOf(OperatorError)
  })

  it('prints a link to the page where the page is built for Firebase alone', async () => {
    const root = tempDir()
    mkdirSync(join(root, 'dist-firebase'))
    const { result, said: remarks } = await said({ root }, several)
    expect(result.split('\n')[1]).toBe('https://example.com/de/')
    expect(remarks).toContain('Firebase accepts no form of another site')
    await expect(said({ root, page: BLOG })).rejects.toThrow(/docs\/embed\.md$/)
  })
})
