import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import product from '../../product.config.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { startSite } from '../fixtures/running-site.ts'
import { axeFindings } from './accessibility.ts'
import { expect, SERVER, test } from './fixtures.ts'
import { openConnectedPage, openPageWithoutScript, signUp } from './page.ts'

const PAGE = 'https://page.example'

test.describe('a page that is to be passed on', SERVER, () => {
  test.describe.configure({ mode: 'default' })
  let root: string
  let site: Awaited<ReturnType<typeof startSite>>
  test.beforeAll(async () => {
    test.setTimeout(120_000)
    root = await mkdtemp(join(tmpdir(), 'opening-bell-share-'))
    copyProject(root, { ...product, share: true })
    expect(buildProject(root, { PUBLIC_URL: PAGE })).toMatchObject({ status: 0, stderr: '' })
    site = await startSite({ root })
  })
  test.afterAll(async () => {
    await site.stop()
    await rm(root, { recursive: true })
  })

  test('offers links after the thank-you, each with a source, and asks nobody else', async ({
    page,
  }) => {
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'share', { value: undefined })
      Object.defineProperty(navigator, 'clipboard', {
        value: {
          writeText: async (text: string) => {
            document.title = text
          },
        },
      })
    })
    await openConnectedPage(page, site.url)
    await expect(page.locator('.share')).toHaveCount(0)
    await signUp(page).submit('ada@example.com')
    const links = page.locator('.share').getByRole('link')
    await expect(links).toHaveText(['WhatsApp', 'Telegram', 'Email', 'Copy link'])
    for (const [i, way] of ['whatsapp', 'telegram', 'email', 'copy'].entries()) {
      const target = await links.nth(i).getAttribute('href')
      expect(decodeURIComponent(target ?? '')).toContain(`${PAGE}/?ref=share-${way}`)
    }
    expect(await axeFindings(page)).toEqual([])
    expect([...hosts]).toEqual([new URL(site.url).host])
    await links.last().click()
    await expect(links.last()).toHaveText('Link copied')
    await expect(page).toHaveTitle(`${PAGE}/?ref=share-copy`)
  })

  test('offers the sheet of the device where there is one', async ({ page }) => {
    await page.addInitScript(() => {
      navigator.share = async (given) => {
        document.title = given?.url ?? ''
      }
    })
    await openConnectedPage(page, site.url)
    await signUp(page).submit('bob@example.com')
    await page.getByRole('button', { name: 'Pass it on' }).click()
    await expect(page).toHaveTitle(`${PAGE}/?ref=share-sheet`)
    await expect(page.locator('.share').getByRole('link')).toHaveCount(0)
  })

  test('offers them once somebody has confirmed, by a script that the policy allows', async ({
    page,
  }) => {
    const confirming = { PUBLIC_URL: PAGE, CONFIRM: 'on' }
    expect(buildProject(root, confirming)).toMatchObject({ status: 0, stderr: '' })
    const pageOf = (step: string) =>
      readFileSync(join(root, `dist/pages/confirm-${step}.html`), 'utf8')
    const done = pageOf('done')
    const script = done.slice(done.lastIndexOf('<script>') + 8, done.lastIndexOf('</script>'))
    expect(script).toContain('.share')
    const hash = createHash('sha256').update(script).digest('base64')
    expect(readFileSync(join(root, 'dist/site.json'), 'utf8')).toContain(hash)
    for (const step of ['ask', 'not-me', 'ended']) expect(pageOf(step)).not.toContain('share-copy')
    await page.setContent(done.slice(done.indexOf('<div class="share"')))
    await expect(page.locator('.share').getByRole('link')).toHaveCount(4)
  })

  test('is without it byte for byte what it is where nobody has heard of it', async () => {
    const filesOf = async (share?: boolean) => {
      const root = await mkdtemp(join(tmpdir(), 'opening-bell-share-'))
      copyProject(root, { ...product, ...(share !== undefined && { share }) })
      expect(buildProject(root, { PUBLIC_URL: PAGE })).toMatchObject({ status: 0, stderr: '' })
      const names = globSync('dist/{public,pages}/**/*.{js,html}', { cwd: root }).sort()
      const files = names.map((name) => [name, readFileSync(join(root, name), 'utf8')])
      await rm(root, { recursive: true })
      return files
    }
    const off = await filesOf(false)
    expect(off).toEqual(await filesOf())
    expect(JSON.stringify(off)).not.toMatch(/share-|wa\.me|Pass it on/)
  })

  test.describe('without script', () => {
    test.use({ javaScriptEnabled: false })
    test('offers plain links', async ({ page }) => {
      await openPageWithoutScript(page, site.url)
      await signUp(page).email.fill('cleo@example.com')
      await page.keyboard.press('Enter')
      const links = page.locator('.share').getByRole('link')
      await expect(links).toHaveText(['WhatsApp', 'Telegram', 'Email', 'page.example'])
    })
  })
})
