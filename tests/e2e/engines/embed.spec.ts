import { readFileSync } from 'node:fs'
import product from '../../../product.config.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { pastedForm, policyFor } from '../../../src/features/embed/pasted-form.ts'
import { joinPaths } from '../../../src/features/embed/paths.ts'
import { site as build } from '../../../src/site/site.ts'
import { languages } from '../../../src/words/catalogue.ts'
import {
  builders,
  sandboxed,
  startOtherSite,
  document as written,
} from '../../fixtures/other-site.ts'
import { type RunningSite, startSite } from '../../fixtures/running-site.ts'
import { leftToTorture } from '../long.ts'
import { THANK_YOU } from '../page.ts'
import { expect, test } from './fixtures.ts'
import { glance, type Tab } from './tab.ts'

leftToTorture()

let us: RunningSite
let other: Awaited<ReturnType<typeof startOtherSite>>
let tab: Tab | undefined

/** What is pasted. @param back the path that it comes back to; none with the script. */
function pasted(back: string | undefined, language = 'en', isFramed = false) {
  const { form, script } = pastedForm({
    path: '',
    publicUrl: us.url,
    script: readFileSync(build.joinScript()),
    confirm: false,
    page: back && other.origin + back,
    isFramed,
    product: { ...product, language },
  })
  return back === undefined && !isFramed ? form + script : form
}

/** A page of the strictest policy, in the styles of popular builders, and in Arabic. */
function pages() {
  const policy = policyFor(us.url)
  const headers = {
    'content-security-policy': `default-src 'none'; ${policy.form}; ${policy.script}`,
  }
  const around = { ...builders, strict: (form: string) => written(form) }
  return Object.fromEntries([
    ...Object.entries(around).flatMap(([name, page]) =>
      [`/${name}/script`, `/${name}/back`].map((path) => {
        const html = page(pasted(path.endsWith('/back') ? path : undefined))
        return [path, name === 'strict' ? { html, headers } : { html }]
      }),
    ),
    ['/frame', { html: written(sandboxed(pasted(undefined, 'en', true))) }],
    ['/arabic/back', { html: written(pasted('/arabic/back', 'ar'), '', 'lang="ar" dir="rtl"') }],
  ])
}

const names = [...Object.keys(builders), 'strict']

test.beforeAll(async () => {
  other = await startOtherSite(() => pages())
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

for (const [what, script, end, sites] of [
  ['with its script answers in place', true, '/script', names],
  [
    'without script comes back to its page with the thanks',
    false,
    '/back#joined',
    [...names, 'arabic'],
  ],
] as const)
  test(`a form on another site ${what}`, async ({ openTab, engine }) => {
    const visitor = await openTab({ script })
    tab = visitor
    const expectToSee = (wanted: Partial<ReturnType<typeof seen>>) =>
      expect.poll(() => glance(visitor, seen)).toMatchObject(wanted)
    for (const name of sites)
      await test.step(name, async () => {
        const url = `${other.origin}/${name}${end}`
        await visitor.open(url.replace('#joined', ''))
        await expectToSee({ isComplete: true, url: url.replace('#joined', '') })
        await visitor.press('Tab')
        await expectToSee({ focus: 'INPUT' })
        const email = `${engine}.${script}.${name}@example.com`
        await visitor.type(email)
        await visitor.press('Enter')
        const thanks = name === 'arabic' ? languages.ar?.subscribed : THANK_YOU
        await expectToSee({
          url,
          texts: expect.arrayContaining([thanks]) as unknown as string[],
        })
        expect(us.subscribers()).toContain(email)
      })
    expect(us.quarantined()).toEqual([])
  })

test('a form in a sandboxed frame opens our page with the address in it', async ({
  openTab,
  engine,
}) => {
  const visitor = await openTab({ script: false })
  tab = visitor
  const url = `${other.origin}/frame`
  await visitor.open(url)
  await expect.poll(() => glance(visitor, seen)).toMatchObject({ isComplete: true, url })
  await visitor.press('Tab')
  await expect.poll(() => glance(visitor, seen)).toMatchObject({ focus: 'IFRAME' })
  const email = `${engine}.framed@example.com`
  await visitor.type(email)
  await visitor.press('Enter')
  const inWindow = async () => {
    await visitor.follow()
    return glance(visitor, () => ({
      url: location.href,
      typed: document.querySelector<HTMLInputElement>('input[type=email]')?.value,
      text: document.body.innerText,
    }))
  }
  await expect.poll(inWindow).toMatchObject({ url: us.url + joinPaths.join, typed: email })
  expect(us.subscribers()).not.toContain(email)
  await visitor.press('Tab')
  await expect.poll(() => glance(visitor, seen)).toMatchObject({ focus: 'INPUT' })
  await visitor.press('Enter')
  await expect
    .poll(inWindow)
    .toMatchObject({ text: expect.stringContaining(THANK_YOU) as unknown as string })
  expect(us.subscribers()).toContain(email)
  expect(us.quarantined()).toEqual([])
})
