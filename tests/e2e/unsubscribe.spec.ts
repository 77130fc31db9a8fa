import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import product from '../../product.config.ts'
import { addressIds } from '../../src/keys/address-id.ts'
import { unsubscribeTokens } from '../../src/keys/unsubscribe-token.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { expect, SERVER, test } from './fixtures.ts'

test.use({ javaScriptEnabled: false })

test(
  'a subscriber gets out with a link and a button, without script',
  SERVER,
  async ({ page, ownServer, browserConsole }) => {
    browserConsole.expect(/Failed to load resource.*404/)
    const linkKey = readFileSync(join(ownServer.dataDir, 'link.key'))
    const ids = addressIds(linkKey)
    const file = join(ownServer.dataDir, 'subscribers.sqlite')
    const store = sqliteStore({ file, appId: product.appId, addressIds: ids, log: () => {} })
    await store.list.add('ada@example.com')

    const token = unsubscribeTokens(linkKey).sign(ids.of('ada@example.com'))
    await page.goto(`${ownServer.url}/unsubscribe/${token}`)
    await expect(page).toHaveTitle(product.name)
    await expect(page.getByText("Press the button and we won't write to you")).toBeVisible()
    expect(await store.standings.of('ada@example.com')).toBeUndefined()
    await page.getByRole('button').click()
    await expect(page.getByRole('heading', { name: 'Unsubscribed' })).toBeVisible()
    await expect(page.getByRole('button')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await store.standings.of('ada@example.com')).toMatchObject({ standing: 'unsubscribed' })

    // The end of a long link is what mail programs lose.
    const answer = await page.goto(`${ownServer.url}/unsubscribe/${token.slice(0, -3)}`)
    expect(answer?.status()).toBe(404)
    await expect(page.getByText("we couldn't unsubscribe you")).toBeVisible()
    await expect(page.getByRole('button')).toHaveCount(0)
    await store.close()
  },
)
