import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ours from '../../product.config.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { startSite } from '../fixtures/running-site.ts'
import { expect, long, SERVER, test } from './fixtures.ts'
import { endSplash, metaOf, signUp, sizeOf, THANK_YOU } from './page.ts'

const product = {
  name: 'Zoë\'s "A&B" <Bull> $& $1',
  pitch: 'Ein Terminal für alle: </script><!-- <b>$`10</b> & mehr.',
  description: 'It\'s "the" <terminal> für $1 & $&.',
  logo: ours.logo,
  emailPlaceholder: '"you" <du@büro.example>',
  appId: 'zoe-1',
}

test.describe("somebody's own product", SERVER, () => {
  let root: string
  test.beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'opening-bell-product-'))
  })
  test.afterEach(() => rm(root, { recursive: true }))

  long('shows everywhere as it is written, however awkward', async ({ page }) => {
    test.slow()
    copyProject(root, product)
    const env = { PUBLIC_URL: 'https://launch.example' }
    expect(buildProject(root, env)).toMatchObject({ status: 0, stderr: '' })
    // Without it, as only visitors who come from there could sign up.
    const site = await startSite({ root })
    await page.goto(site.url)

    await expect(page).toHaveTitle(`${product.name} — Coming Soon`)
    await expect(page.locator('#splash')).toHaveText(product.name)
    expect(await metaOf(page)).toMatchObject({
      description: product.description,
      'og:title': `${product.name} — Coming Soon`,
      'og:description': product.description,
      'og:url': 'https://launch.example/',
      'og:image': 'https://launch.example/social.png',
      'twitter:card': 'summary_large_image',
    })
    const canonical = page.locator('link[rel=canonical]')
    await expect(canonical).toHaveAttribute('href', 'https://launch.example/')
    expect(await sizeOf(page, `${site.url}/social.png`)).toEqual([1200, 630])

    await endSplash(page)
    await expect(page.getByRole('img', { name: product.name })).toBeVisible()
    await expect(page.getByText(product.pitch)).toBeVisible()
    const { email, status, submit } = signUp(page)
    await expect(email).toHaveAttribute('placeholder', product.emailPlaceholder)
    await submit('visitor@example.com')
    await expect(status).toHaveText(THANK_YOU)
    expect(site.collections()).toEqual(['/artifacts/zoe-1/public/data/subscribers'])
    await site.stop()
  })
})
