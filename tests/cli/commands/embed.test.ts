import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { embed } from '../../../src/cli/commands/embed.ts'
import { THANKS_STYLE_HASH } from '../../../src/embed/pasted-form.ts'
import { languagesOf } from '../../../src/product/languages.ts'
import type { Product } from '../../../src/shared/product.ts'
import { OperatorError } from '../../../src/terminal/operator-error.ts'
import type { OtherPage } from '../../fixtures/other-site.ts'
import { startOtherSite } from '../../fixtures/other-site.ts'
import { writeSiteFixture } from '../../fixtures/site.ts'
import { listening } from '../../fixtures/spoken.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const publicUrl = 'https://example.com'
const BLOG = 'https://blog.example.com'
const several = { name: 'Meridian', language: 'en', languages: { de: {}, ar: {} } }

type Given = Partial<Parameters<typeof embed>[0]>

async function said(given: Given = {}, product: unknown = { name: 'Meridian' }) {
  const languages = languagesOf(product as Product)
  const root = tempDir()
  writeSiteFixture(root, { languages: languages.map(({ code }) => code) })
  const { out, said, result } = listening()
  const options = { root, languages, publicUrl, port: 3000, embedOrigins: [BLOG], ...given }
  const code = await embed(options, out)
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
    const { said: remarks } = await said({ embedOrigins: [] })
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
    [{ root: '/nowhere', check: BLOG }, /^The page is not built/],
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
    await expect(said({ root, check: BLOG })).rejects.toThrow(/docs\/embed\.md$/)
  })
})

describe('embed --check', () => {
  /** What is wrong with a page, a line each, in the words of the command. */
  async function wrongWith(
    change: (pasted: string) => string,
    headers: OtherPage['headers'] = {},
    given: Given = {},
  ) {
    let html = ''
    const site = await startOtherSite(() => ({
      '/': { html, headers },
      '/on': { html: '', headers: {} },
    }))
    onTestFinished(() => site.close())
    const embedOrigins = given.embedOrigins ?? [site.origin]
    const isNamed = embedOrigins.includes(site.origin)
    const page = isNamed ? { page: `${site.origin}/` } : {}
    html = change((await said({ embedOrigins, ...page })).result)
    const checked = await said({ check: site.origin, embedOrigins, json: true })
    const found = JSON.parse(checked.result) as { what: string; verdict: string; detail: string }[]
    const wrong = found.filter(({ verdict }) => verdict !== 'fine')
    expect(checked.code).toBe(wrong.every(({ verdict }) => verdict === 'note') ? 0 : 1)
    return wrong.map(({ what, detail }) => `${what}: ${detail}`).join('\n')
  }
  const policy = (text: string) => ({ 'content-security-policy': text })

  it('finds nothing wrong with what was printed, with a policy that allows it', async () => {
    expect(await wrongWith((html) => html)).toBe('')
    const strict = `default-src 'none'; form-action 'self' ${publicUrl}; script-src ${publicUrl}; connect-src ${publicUrl}; style-src ${THANKS_STYLE_HASH}`
    expect(await wrongWith((html) => html, policy(strict))).toBe('')
  })

  it.each<[string, RegExp, (pasted: string) => string, OtherPage['headers']?]>([
    ['a page without it', /^Form: none that posts to us is in the HTML/, () => '<p>Hello'],
    [
      'another path',
      /^Form: posts to "https:\/\/example\.com\/subscribe", must post to https:\/\/example\.com\/join/,
      (html) => html.replace('/join"', '/subscribe"'),
    ],
    ['another method', /^Method: is "get"/, (html) => html.replace('method=post', '')],
    [
      'files',
      /^Encoding: enctype/,
      (html) => html.replace('<form', '<form enctype=multipart/form-data'),
    ],
    [
      'another field',
      /^Field: no input has name="email"/,
      (html) => html.replace('name=email', 'name=mail'),
    ],
    [
      'another way back',
      /^Way back: "https:\/\/evil/,
      (html) => html.replace(/(name=back value=")[^"]+/, '$1https://evil.example/'),
    ],
    [
      'an old script',
      /^Script: is not the one of this build/,
      (html) => html.replace(/join-\w{4}/, 'join-oldx'),
    ],
    ['an old hash', /^Script: its integrity/, (html) => html.replace(/sha384-.{4}/, 'sha384-oldx')],
    ['no hash', /^Script: has no integrity/, (html) => html.replace(/integrity="[^"]+"/, '')],
    ['no script', /^Script: none: the form works without/, (html) => html.replace(/<script.*/, '')],
    [
      'no way to us',
      /^Policy: form-action is "'self'", so the form is not sent: add https:\/\/example\.com$/,
      (html) => html,
      policy("form-action 'self'"),
    ],
    [
      'no way back',
      /^Policy: form-action .* visitors do not come back .*: add 'self'$/,
      (html) => html,
      policy(`form-action ${publicUrl}`),
    ],
    [
      'a script that is blocked',
      /^Policy: script-src .* does not run/,
      (html) => html,
      policy("script-src 'self'"),
    ],
    [
      'a call that is blocked',
      /^Policy: connect-src .* cannot send/,
      (html) => `<meta http-equiv=Content-Security-Policy content="connect-src 'self'">${html}`,
    ],
    [
      'no referrer',
      /^Script: none.*\nReferrer: the page sends none/,
      (html) => html.replace(/<script.*/, ''),
      { 'referrer-policy': 'no-referrer' },
    ],
  ])('finds %s', async (_, line, change, headers) => {
    expect(await wrongWith(change, headers)).toMatch(line)
  })

  it('finds a site that EMBED_ORIGINS does not name', async () => {
    const wrong = await wrongWith((html) => html, {}, { embedOrigins: [BLOG] })
    expect(wrong).toMatch(/^Origin: http:\/\/localhost:\d+ is not in EMBED_ORIGINS/)
  })

  it('follows a page on its own host, and nowhere else', async () => {
    const site = await startOtherSite((origin) => ({
      '/': { html: '', status: 302, headers: { location: `${origin}/on` } },
      '/on': { html: '', status: 302, headers: { location: 'http://127.0.0.1:1/private' } },
      '/round': { html: '', status: 302, headers: { location: '/round' } },
    }))
    onTestFinished(() => site.close())
    const [elsewhere, round, missing] = await Promise.all(
      ['/', '/round', '/nothing'].map((path) => said({ check: site.origin + path })),
    )
    expect(elsewhere?.result).toContain(
      'leads to another host, check that one: http://127.0.0.1:1/private',
    )
    expect(round?.result).toContain('does not answer')
    expect(missing?.result).toContain('answered 404')
  })
})
