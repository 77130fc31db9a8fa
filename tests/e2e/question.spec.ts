import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import product from '../../product.config.ts'
import { freePort } from '../../scripts/free-port.ts'
import { pastedForm } from '../../src/features/embed/pasted-form.ts'
import { site as build } from '../../src/site/site.ts'
import { document, startOtherSite } from '../fixtures/other-site.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { startSite } from '../fixtures/running-site.ts'
import { axeFindings } from './accessibility.ts'
import { expect, SERVER, test } from './fixtures.ts'
import {
  lookAround,
  openConnectedPage,
  openPageWithoutScript,
  signUp,
  WITH_A_SCREEN,
} from './page.ts'

// Nothing is kept of the answer of a program.
test.use({ userAgent: WITH_A_SCREEN })

type Site = Awaited<ReturnType<typeof startSite>>

test.describe('a page that asks a question', SERVER, () => {
  test.describe.configure({ mode: 'default' })
  let root: string
  let site: Site
  let other: Awaited<ReturnType<typeof startOtherSite>>

  /** What stands on another site, with our script. */
  function pasted() {
    const script = readFileSync(join(root, build.joinScript('/en')))
    const common = { path: '/en', publicUrl: site.url, confirm: false, product }
    const { form, script: tag } = pastedForm({ ...common, script })
    return document(form + tag)
  }

  test.beforeAll(async () => {
    test.setTimeout(120_000)
    root = await mkdtemp(join(tmpdir(), 'opening-bell-question-'))
    copyProject(root, {
      ...product,
      question: { ask: 'What do you trade?', kind: 'choice', choices: ['Shares', 'Futures'] },
      languages: {
        ar: {
          name: 'ميريديان',
          pitch: 'منصة واحدة للمتداولين والمستثمرين.',
          description: 'منصة واحدة للمتداولين والمستثمرين.',
          question: {
            ask: 'ماذا تتداول؟',
            kind: 'choice',
            choices: ['الأسهم', 'العقود الآجلة'],
          },
        },
      },
    })
    expect(buildProject(root)).toMatchObject({ status: 0 })
    other = await startOtherSite(() => ({ '/': { html: pasted() } }))
    const port = String(await freePort())
    const env = { EMBED_ORIGINS: other.origin, PUBLIC_URL: `http://127.0.0.1:${port}` }
    site = await startSite({ root, port, env })
  })
  test.afterAll(async () => {
    other.close()
    await site.stop()
    await rm(root, { recursive: true })
  })

  test('asks it after the thank-you, and keeps the answer', async ({ page }) => {
    await openConnectedPage(page, site.url)
    await expect(page.getByText('What do you trade?')).toHaveCount(0)
    await lookAround(page, 3000)
    await signUp(page).submit('ada@example.com')
    await expect(page.getByText('What do you trade?')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Futures' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    expect(site.answers()).toContain('Futures')
  })

  test('leads to it after the form of another site, where our script says the thanks', async ({
    browser,
  }) => {
    // Two origins are its subject, so it has a context of its own.
    const page = await browser.newPage({ userAgent: WITH_A_SCREEN })
    await page.goto(other.origin)
    await page.getByLabel('Email address').fill('shop@example.com')
    await page.getByRole('button', { name: 'Notify Me' }).click()
    const question = page.getByRole('status').getByRole('link', { name: 'What do you trade?' })
    const opened = page.waitForEvent('popup')
    await question.click()
    const asking = await opened
    await asking.getByRole('button', { name: 'Shares' }).click()
    await expect(asking.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    expect(site.answers()).toContain('Shares')
    await page.context().close()
  })

  test.describe('without script, from right to left', () => {
    test.use({ javaScriptEnabled: false })
    test('asks it on a page of its own, and counts the answer as the first language has it', async ({
      page,
    }) => {
      await openPageWithoutScript(page, `${site.url}/ar/`)
      await page.getByRole('textbox', { name: 'البريد' }).fill('cleo@example.com')
      await page.keyboard.press('Enter')
      await expect(page.getByText('ماذا تتداول؟')).toBeVisible()
      const before = site.answers().filter((answer) => answer === 'Shares').length
      await page.getByRole('button', { name: 'الأسهم' }).click()
      await expect(page.getByRole('heading', { name: 'شكرًا' })).toBeVisible()
      expect(site.answers().filter((answer) => answer === 'Shares')).toHaveLength(before + 1)
    })
  })
})
