import { DatabaseSync } from 'node:sqlite'
import type { RunningSite } from '../fixtures/running-site.ts'
import { expect, SERVER, test } from './fixtures.ts'
import { INVALID, openPageWithoutScript, signUp, THANK_YOU, WITH_A_SCREEN } from './page.ts'

// Of a sign-up with signs of a robot, no source is kept.
test.use({ userAgent: WITH_A_SCREEN })

const LINK = '/?utm_source=HN&utm_campaign=Launch'

/** The sources of the subscribers, as the file has them. */
function sourcesIn({ databaseFile }: RunningSite) {
  const db = new DatabaseSync(databaseFile, { readOnly: true })
  const rows = db.prepare(`SELECT data ->> '$.signedUp.source' AS source FROM persons`).all()
  db.close()
  return rows.map(({ source }) => JSON.parse(String(source)))
}

const source = { source: 'hn', campaign: 'launch' }

test.describe('without script', SERVER, () => {
  test.use({ javaScriptEnabled: false })

  test('a sign-up has the source of the link, also when it is refused first', async ({
    page,
    ownServer,
    browserConsole,
  }) => {
    browserConsole.expect(/Failed to load resource.*422/)
    await openPageWithoutScript(page, ownServer.url + LINK)
    const { status, submit } = signUp(page)
    await submit('nobody')
    await expect(status).toHaveText(INVALID)
    await submit('visitor@example.com')
    await expect(status).toHaveText(THANK_YOU)
    await expect.poll(() => sourcesIn(ownServer)).toEqual([source])
  })
})
