import { readFileSync } from 'node:fs'
import product from '../../../product.config.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { pastedForm, policyFor } from '../../../src/embed/pasted-form.ts'
import { site as build } from '../../../src/site/site.ts'
import { startOtherSite, document as written } from '../../fixtures/other-site.ts'
import { type RunningSite, startSite } from '../../fixtures/running-site.ts'
import { THANK_YOU } from '../page.ts'
import { expect, test } from './fixtures.ts'
import { glance, type Tab } from './tab.ts'

let us: RunningSite
let other: Awaited<ReturnType<typeof startOtherSite>>
let tab: Tab | undefined

/** What is pasted into a page of the other site, under a strict policy. */
function pageWith(path: string, hasScript: boolean) {
  const { form, script } = pastedForm({
    path: '',
    publicUrl: us.url,
    script: readFileSync(build.joinScript()),
    confirm: false,
    page: hasScript ? undefined : other.origin + path,
    isFramed: false,
    product,
  })
  const policy = policyFor(us.url)
  const headers = {
    'content-security-policy': `default-src 'none'; ${policy.form}; ${policy.script}`,
  }
  return { html: written(hasScript ? form + script : form), headers }
}

test.beforeAll(async () => {
  other = await startOtherSite(() => ({
    '/script': pageWith('/script', true),
    '/back': pageWith('/back', false),
  }))
  const port = String(await freePort())
  const env = { EMBED_ORIGINS: other.origin, PUBLIC_URL: `http://127.0.0.1:${port}` }
  us = await startSite({ port, env })
})
test.afterEach(() => tab?.close())
test.afterAll(async () => {
  other?.close()
  await us?.stop()
})

/** Where the page is, and which thanks are seen in it. */
const seen = () => ({
  isComplete: document.readyState === 'complete',
  url: location.href,
  focus: document.activeElement?.tagName,
  texts: [...document.querySelectorAll('form *')].flatMap((one) =>
    one.getClientRects().length > 0 ? [one.textContent?.trim()] : [],
  ),
})

for (const [name, script, path, end] of [
  ['with its script answers in place', true, '/script', '/script'],
  ['without script comes back to its page with the thanks', false, '/back', '/back#joined'],
] as const)
  test(`a form on another site, under a strict policy, ${name}`, async ({ openTab, engine }) => {
    const visitor = await openTab({ script })
    tab = visitor
    const expectToSee = (wanted: Partial<ReturnType<typeof seen>>) =>
      expect.poll(() => glance(visitor, seen)).toMatchObject(wanted)
    await visitor.open(other.origin + path)
    await expectToSee({ isComplete: true, url: other.origin + path })
    await visitor.press('Tab')
    await expectToSee({ focus: 'INPUT' })
    const email = `${engine}${script ? '.script' : ''}@example.com`
    await visitor.type(email)
    await visitor.press('Enter')
    await expectToSee({
      url: other.origin + end,
      texts: expect.arrayContaining([THANK_YOU]) as unknown as string[],
    })
    expect(us.subscribers()).toContain(email)
  })
