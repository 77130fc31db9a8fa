import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import product from '../../../product.config.ts'
import { makeLink } from '../../../src/desk/access/sessions.ts'
import type { RenderDesk } from '../../../src/desk/contract/pages.ts'
import { deskHeaders } from '../../../src/desk/contract/visitor.ts'
import { addressIds } from '../../../src/keys/address-id.ts'
import { deskTokens } from '../../../src/keys/desk-tokens.ts'
import type { Product } from '../../../src/shared/product.ts'
import { openDesk } from '../../fixtures/desk.ts'
import { filled, formWith, textOf } from '../../fixtures/forms.ts'
import { restoreSources } from '../../fixtures/restored.ts'

const SMTP = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'The team <team@example.org>' }

let render: RenderDesk
beforeAll(async () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  // By its path: its types are those of a browser.
  const path = join(import.meta.dirname, '../../../src/desk/page/render.tsx')
  render = ((await import(path)) as { renderPage: RenderDesk }).renderPage
})

/** A browser that runs no script, in the desk with its real pages. */
async function browse(env: Record<string, string> = {}, more: Partial<Product> = {}) {
  const at = await openDesk({ render, env, product: { ...product, ...more } })
  let [html, here] = ['', '']
  const go = async (path: string) => {
    const answer = await at.get(path)
    expect(answer.statusCode, path).toBe(200)
    html = answer.body
    here = path
    return html
  }
  return {
    ...at,
    go,
    html: () => html,
    heading: () => textOf(/<h1\b.*?<\/h1>/s.exec(html)?.[0] ?? ''),
    /** Presses a button, once its form is filled in, and goes where that leads. */
    async press(button: string, typed: Record<string, string | readonly string[]> = {}) {
      const form = formWith(html, button)
      const fields = { csrf: '', ...filled(form, typed) }
      const answer = await at.post(form.action || here, fields)
      const { location } = answer.headers
      if (answer.statusCode === 303) return go(String(location))
      html = answer.body
      return html
    },
    /** Goes where the link with these words leads. */
    async follow(words: string) {
      const links = [...html.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)]
      const found = links.find(([, , inner = '']) => textOf(inner) === words)
      if (!found) throw new Error(`no link says "${words}"`)
      return go(String(found[1]).replaceAll('&amp;', '&'))
    },
  }
}

describe('without script', () => {
  it('a link takes the code that is pasted', async () => {
    const { home, store, ask } = await browse()
    const { path, secret } = await makeLink(store.desk, home.linkKey)
    const id = String(deskTokens(home.linkKey).idOf('link', path))
    const headers = { [deskHeaders.by]: 'link', [deskHeaders.id]: id }
    const { body } = await ask({ url: `/desk/${path}`, headers })
    const form = formWith(body, 'Open the desk')
    expect(form.action).toBe('?')
    const answer = await ask({
      method: 'POST',
      url: `/desk/${path}`,
      headers: {
        ...headers,
        origin: 'http://localhost:3000',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({
        code: String(filled(form, { code: secret }).code),
      }).toString(),
    })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/desk'])
  })

  it('all sessions are ended', async () => {
    const { go, press } = await browse()
    await go('/desk/access')
    expect(await press('End all, this one as well')).toContain('Your session has ended.')
  })

  it('the opening is set for a time, made now, and taken back, each after a question', async () => {
    const { go, press, follow, heading, html, store } = await browse()
    await go('/desk')
    await follow('coming soon')
    const url = 'https://app.example.com'
    await press('Look at what happens', { url, when: 'at', at: '2099-01-12T09:00' })
    expect(heading()).toBe('Open the page at this time?')
    expect(textOf(html())).toContain('2099-01-12 08:00 UTC')
    await press('Set this opening', { word: 'elsewhere.example.com' })
    expect(html()).toContain('Nothing was changed.')
    await press('Set this opening', { word: 'app.example.com' })
    expect(textOf(html())).toContain('opens 2099-01-12 09:00 Europe/Berlin')
    expect(textOf(await go('/desk'))).toMatch(/opens 2099-01-12 09:00 Europe\/Berlin/)
    await go('/desk/opening')
    await press('Look at what happens', { when: 'now' })
    await press('Open the page now', { word: 'app.example.com' })
    expect(heading()).toBe('Open')
    expect(await store.opening.get()).toMatchObject({ openedAt: expect.any(Date) })
    await follow('Close the page again …')
    await press('Close it')
    expect(heading()).toBe('Coming Soon')
    expect(await store.opening.get()).toBeUndefined()
  })

  it('the sources are in order, and the curve is drawn by hour, day and week', async () => {
    const { go, follow, html, heading, store, home } = await browse()
    const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000)
    const names = [
      { kind: 'source' as const, name: 'few', number: 2 },
      { kind: 'source' as const, name: 'many', number: 9 },
    ]
    const counts = { first: 11, return: 0, robot: 0, prefetch: 0 }
    await store.visits.add([{ hour, counts, names }])
    await store.list.add('ada@example.com')
    const few = [{ email: 'ada@example.com', source: { source: 'few' } }]
    await restoreSources(store, few, addressIds(home.linkKey).of)
    await go('/desk')
    // Who brought the most sign-ups first; then where the latest one came from.
    const order = [...html().matchAll(/<bdi class="foreign" title="(few|many)"/g)]
    expect(order.map(([, name]) => name)).toEqual(['few', 'many', 'few'])
    await follow('week')
    expect(html()).toContain('Sign-ups a week')
    await follow('Your form for another site')
    expect(heading()).toBe('Your form')
  })

  it('a letter is written, and shown light and dark, as wide as a desktop and as a phone', async () => {
    const { go, press, follow, html, heading } = await browse(SMTP)
    await go('/desk/letters')
    await follow('Write the first letter')
    await press('Save', { name: 'launch', subject: 'We are live', text: '# Come in' })
    expect(heading()).toBe('We are live')
    const frames = [...html().matchAll(/data-view="(\w+)-(\w+)"><iframe[^>]*scheme=(\w+)/g)]
    expect(frames.map(([, ...seen]) => seen.join(' '))).toEqual([
      'desktop light light',
      'desktop dark dark',
      'phone light light',
      'phone dark dark',
    ])
  })

  it('a letter is written in another language, from its text, and shown like it', async () => {
    const said = { pitch: 'كتب', description: 'كتب' }
    const { go, press, follow, html } = await browse(SMTP, { languages: { ar: said } })
    await go('/desk/letters/new')
    await press('Save', { name: 'launch', subject: 'We are live', text: '# Come in' })
    await follow('Add Arabic')
    expect(textOf(/<textarea.*?<\/textarea>/s.exec(html())?.[0] ?? '').trim()).toBe('# Come in')
    await press('Save', { subject: 'فتحنا', text: '# أهلًا' })
    expect(html()).toMatch(/language=ar"[^>]*>download/)
    await follow('Show')
    expect(html()).not.toMatch(/language=ar"[^>]*>download/)
  })
})

it('the first page says that the store is away, and as of when it is', async () => {
  const { go, home, store } = await browse()
  await store.list.add('ada@example.com')
  await go('/desk')
  const away = `${home.dataDir}.away`
  renameSync(home.dataDir, away)
  const html = textOf(await go('/desk'))
  renameSync(away, home.dataDir)
  expect(html).toContain('The database cannot be reachedThis is as of')
  expect(html).not.toContain('ada@example.com')
  expect(textOf(await go('/desk'))).toContain('ada@example.com')
})

it('what only a terminal can do is a command to copy, with the name of the tool', async () => {
  const { go, store } = await browse()
  await store.hold.begin({ isBelieved: false, since: new Date() })
  expect(textOf(await go('/desk'))).toMatch(
    /look at the list, .* If it is right, at a terminal: \S+ restore --list-is-right/,
  )
})

it('whatever somebody is called is text, in its place', async () => {
  const { go, html, store, home } = await browse()
  const names = [
    '<script>alert(1)</script><img src=x onerror=alert(2)>',
    '\u202eesrever\u2066 \u0627\u0644\u0645\u0635\u062f\u0631',
    '"></script><h1>mine',
    'w'.repeat(90),
  ]
  for (const [i, source] of names.entries()) {
    const email = `visitor${i}@example.com`
    await store.list.add(email)
    await restoreSources(store, [{ email, source: { source } }], addressIds(home.linkKey).of)
  }
  const hostile = '"</script><b>"@example.com'
  await store.list.add(hostile)
  const id = addressIds(home.linkKey).of(hostile)
  for (const path of ['/desk', '/desk/people', `/desk/people/${id}`]) {
    await go(path)
    // But for what its script is given, which it draws the same way.
    const [drawn = ''] = html().split('<script id="desk-data"')
    expect(drawn, path).not.toMatch(/<script|<b>|<img src=x|<h1>mine/)
    expect(drawn, path).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    expect(html().match(/<\/script>/g), path).toHaveLength(2)
    expect(drawn, path).toContain('&lt;/script&gt;')
    for (const [, cut = ''] of drawn.matchAll(/>(w{64,}…?)</g))
      expect(cut.length, path).toBeLessThanOrEqual(80)
  }
  // An address is in a direction of its own.
  expect(html()).toMatch(/<h1[^>]*><bdi class="address" dir="ltr">&quot;/)
})
