import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkEmbed } from '../../src/checks/embed.ts'
import { THANKS_STYLE, THANKS_STYLE_HASH } from '../../src/embed/pasted-form.ts'
import { type OtherPage, startOtherSite } from '../fixtures/other-site.ts'

const publicUrl = 'https://example.com'
const file = { path: '/assets/join-abcd1234.js', integrity: 'sha384-whole' }
const script = `<script src="${publicUrl}${file.path}" integrity="${file.integrity}" crossorigin></script>`
const form = `<form action="${publicUrl}/join" method=post><input name=email></form>`

describe('a page of another site with our form', () => {
  let pages: Readonly<Record<string, OtherPage>> = {}
  let site: Awaited<ReturnType<typeof startOtherSite>>
  beforeAll(async () => {
    site = await startOtherSite(() => pages)
  })
  afterAll(() => site.close())

  /** What is found on a page, without what is as it should be. */
  async function found(html: string, headers: OtherPage['headers'] = {}, path = '') {
    pages = { '/': { html, headers } }
    const all = await checkEmbed({
      page: new URL(site.origin),
      publicUrl,
      origins: [site.origin],
      scripts: new Map([[path, file]]),
    })
    return all.filter(({ verdict }) => verdict !== 'fine')
  }
  const codes = async (...given: Parameters<typeof found>) =>
    (await found(...given)).map(({ code }) => code)

  it('is whole: it is served, known, and its form and script are ours', async () => {
    pages = { '/': { html: form + script } }
    const options = { publicUrl, origins: [site.origin], scripts: new Map([['', file]]) }
    expect(await checkEmbed({ page: new URL(site.origin), ...options })).toEqual([
      { code: 'served', verdict: 'fine', page: `${site.origin}/` },
      { code: 'origin-known', verdict: 'fine', origin: site.origin },
      { code: 'form', verdict: 'fine' },
      { code: 'script', verdict: 'fine' },
      { code: 'policy', verdict: 'fine', isThere: false },
    ])
    expect(await checkEmbed({ page: new URL(`${site.origin}/none`), ...options })).toEqual([
      { code: 'away', verdict: 'fatal', page: `${site.origin}/none`, status: 404 },
    ])
    expect(await checkEmbed({ page: new URL('http://127.0.0.1:1/'), ...options })).toEqual([
      { code: 'away', verdict: 'fatal', page: 'http://127.0.0.1:1/', status: undefined },
    ])
  })

  it('is read to a form that stands far below, and no further than two million bytes', async () => {
    expect(await codes(`${'<p>text</p>'.repeat(10_000)}${form}${script}`)).toEqual([])
    expect(await codes(`${'x'.repeat(2_000_000)}${form}${script}`)).toEqual(['no-form'])
  })

  it('posts to us by one of several forms, by any language and with a query', async () => {
    const search = '<form action=/search><input name=q></form>'
    expect(await codes(search + form + script)).toEqual([])
    expect(await codes(search)).toEqual(['no-form'])
    const inGerman = form.replace('/join', '/de/join?ref=blog')
    expect(await codes(inGerman + script, {}, '/de')).toEqual([])
    expect(await found(form.replace('/join', '/elsewhere') + script)).toEqual([
      {
        code: 'action',
        verdict: 'problem',
        action: `${publicUrl}/elsewhere`,
        right: `${publicUrl}/join`,
      },
    ])
    const other = '<form action="https://old.example/join" method=post><input name=email></form>'
    expect(await found(search + other)).toMatchObject([
      { code: 'action', action: 'https://old.example/join' },
      { code: 'no-script' },
    ])
    const broken = '<form action="https://[/join" method=post><input name=email></form>'
    expect(await found(broken)).toMatchObject([
      { code: 'action', action: 'https://[/join' },
      { code: 'no-script' },
    ])
  })

  it('posts the address by a form of the usual kind', async () => {
    expect(await codes(form.replace('post', 'POST') + script)).toEqual([])
    expect(await found(form.replace('method=post', '') + script)).toEqual([
      { code: 'method', verdict: 'problem', value: 'get' },
    ])
    const enctype = (type: string) => form.replace('method', `enctype=${type} method`) + script
    expect(await codes(enctype('application/x-WWW-form-urlencoded'))).toEqual([])
    expect(await found(enctype('text/plain'))).toEqual([
      { code: 'enctype', verdict: 'problem', value: 'text/plain' },
    ])
    for (const field of ['<input name=mail>', '<select name=email>', '<input id=email>'])
      expect(await codes(form.replace('<input name=email>', field) + script), field).toEqual([
        'no-field',
      ])
  })

  it('leads back to a page of a site that is named', async () => {
    const back = (to: string) =>
      form.replace('<input', `<input type=hidden name=back value="${to}"><input`) + script
    pages = { '/': { html: back(`${site.origin}/on`) } }
    const all = await checkEmbed({
      page: new URL(site.origin),
      publicUrl,
      origins: [site.origin],
      scripts: new Map([['', file]]),
    })
    expect(all).toContainEqual({ code: 'back', verdict: 'fine', back: `${site.origin}/on` })
    expect(await found(back('https://evil.example/'))).toEqual([
      { code: 'wrong-back', verdict: 'problem', back: 'https://evil.example/' },
    ])
    expect(await codes(back(''))).toEqual(['wrong-back'])
  })

  it('has the script of this build, held to its hash', async () => {
    expect(await found(form)).toEqual([{ code: 'no-script', verdict: 'note' }])
    expect(await codes(form + script.replace('abcd1234', 'older'))).toEqual(['script-outdated'])
    expect(await found(form + script.replace(/integrity="[^"]*"/, ''))).toEqual([
      { code: 'script-unheld', verdict: 'note' },
    ])
    expect(await codes(form + script.replace('whole', 'other'))).toEqual(['script-wrong'])
    expect(await codes(form + script.replace('crossorigin', ''))).toEqual(['script-wrong'])
    // What is elsewhere, or of another name, is none of ours.
    for (const src of [`https://old.example${file.path}`, `${publicUrl}/assets/main.js`, ''])
      expect(await codes(`${form}<script src="${src}"></script>`), src).toEqual(['no-script'])
  })

  it('lets the browser send it, load it and come back, by each of its policies', async () => {
    const policy = (text: string) => ({ 'content-security-policy': text })
    const blocked = async (html: string, headers: OtherPage['headers'] = {}) =>
      (await found(html, headers)).map((one) =>
        'what' in one ? [one.what, one.sources, one.add] : one.code,
      )
    expect(await blocked(form + script, policy("form-action 'self' ;script-src *"))).toEqual([
      ['form', "'self'", publicUrl],
    ])
    expect(await blocked(form + script, policy("default-src 'none', form-action *"))).toEqual([
      ['script', "'none'", publicUrl],
      ['connect', "'none'", publicUrl],
    ])
    expect(await blocked(form, policy("default-src 'none'"))).toEqual(['no-script'])
    const back = form.replace('<input', `<input name=back value="${site.origin}/on"><input`)
    expect(await blocked(back + script, policy(`form-action ${publicUrl}`))).toEqual([
      ['form-back', publicUrl, "'self'"],
    ])
    const meta = '<meta http-equiv="Content-Security-Policy" content="connect-src a.example">'
    expect(await blocked(meta + form + script)).toEqual([['connect', 'a.example', publicUrl]])
    for (const other of [
      meta.replace('meta', 'link'),
      meta.replace('Policy', 'Other'),
      meta.replace(/content=.*/, '>'),
    ])
      expect(await blocked(other + form + script), other).toEqual([])
  })

  it('lets the thanks be seen by its style, which a policy may block while the console says so', async () => {
    const back = `${form.replace('<input', `<input name=back value="${site.origin}/on"><input`)}<style>${THANKS_STYLE}</style>`
    const styles = (sources: string) =>
      found(back, { 'content-security-policy': `style-src ${sources}` }).then((all) =>
        all.flatMap((one) => ('what' in one ? [[one.verdict, one.what, one.add]] : [])),
      )
    const isBlocked = [['note', 'style', THANKS_STYLE_HASH]]
    expect(await styles("'self'")).toEqual(isBlocked)
    expect(await styles("'unsafe-inline' 'nonce-abc'")).toEqual(isBlocked)
    expect(await styles("'self' 'unsafe-inline'")).toEqual([])
    expect(await styles(`'self' ${THANKS_STYLE_HASH}`)).toEqual([])
    const all = { 'content-security-policy': "default-src 'self'; form-action *" }
    expect((await found(form, all)).some((one) => 'what' in one)).toBe(false)
  })

  it('names the script in its policy by a nonce or by its hash as well', async () => {
    const only = (source: string) => ({
      'content-security-policy': `script-src '${source}'; connect-src *`,
    })
    const named = script.replace('<script', '<script nonce=abc')
    expect(await codes(form + named, only('nonce-abc'))).toEqual([])
    expect(await codes(form + named, only('nonce-other'))).toEqual(['blocked'])
    expect(await codes(form + script, only(file.integrity))).toEqual([])
    expect(await codes(form + script, only('nonce-undefined'))).toEqual(['blocked'])
    // A nonce lets a script run, and sends no form.
    const sends = { 'content-security-policy': "form-action 'nonce-abc'" }
    expect(await codes(form + named, sends)).toEqual(['blocked'])
  })

  it('sends its referrer where the form works without script', async () => {
    const says = (text: string) => ({ 'referrer-policy': text })
    expect(await found(form, says('no-referrer'))).toEqual([
      { code: 'no-script', verdict: 'note' },
      { code: 'no-referrer', verdict: 'note' },
    ])
    expect(await codes(form, says('no-referrer, strict-origin'))).toEqual(['no-script'])
    expect(await codes(form, says('origin, no-referrer ,'))).toEqual(['no-script', 'no-referrer'])
    expect(await codes(form + script, says('no-referrer'))).toEqual([])
    expect(await codes(`<meta name=referrer content=no-referrer>${form}`)).toEqual([
      'no-script',
      'no-referrer',
    ])
    expect(await codes(`<meta name=referrer content=origin>${form}`, says('no-referrer'))).toEqual([
      'no-script',
    ])
  })

  it('is followed on its own host and port alone, five times at most', async () => {
    const to = (location: string) => ({ html: '', status: 302, headers: { location } })
    const at = async (path: string) =>
      checkEmbed({
        page: new URL(site.origin + path),
        publicUrl,
        origins: [site.origin],
        scripts: new Map([['', file]]),
      })
    const steps = [1, 2, 3, 4, 5, 6].map((n) => [`/${n}`, to(`/${n + 1}`)] as const)
    pages = {
      ...Object.fromEntries(steps),
      '/7': { html: form + script },
      '/out': to('https://elsewhere.example/x'),
      '/port': to('http://localhost:1/x'),
      '/ftp': to('ftp://localhost/x'),
      '/bad': to('http://['),
      '/empty': { html: '', status: 204 },
      '/stays': { html: form + script, status: 200, headers: { location: '/out' } },
    }
    expect((await at('/2')).map(({ code }) => code)).toContain('served')
    expect(await at('/1')).toMatchObject([{ code: 'away', status: undefined }])
    for (const [path, where] of [
      ['/out', 'https://elsewhere.example/x'],
      ['/port', 'http://localhost:1/x'],
      ['/ftp', 'ftp://localhost/x'],
      ['/bad', 'http://['],
    ] as const)
      expect(await at(path), path).toEqual([{ code: 'moved', verdict: 'fatal', to: where }])
    expect(await at('/empty')).toMatchObject([{ code: 'away', status: 204 }])
    expect((await at('/stays'))[0]).toMatchObject({ code: 'served', page: `${site.origin}/stays` })
  })
})
