import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { startRelay } from '../fixtures/relay.ts'
import { startSite } from '../fixtures/running-site.ts'
import { expect } from './fixtures.ts'

export type ConfirmingSite = Awaited<ReturnType<typeof startConfirmingSite>>

/**
 * Builds a product's page with `CONFIRM=on`, and starts its server beside a real mail server.
 *
 * @param more settings of build and server.
 */
export async function startConfirmingSite(product: object, more: Record<string, string> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'opening-bell-confirming-'))
  const relay = await startRelay()
  const port = String(await freePort())
  /** Its address, as `PUBLIC_URL` says it. */
  const own = `http://127.0.0.1:${port}`
  const mail = { SMTP_URL: relay.url, MAIL_FROM: 'hello@example.com' }
  const env = { CONFIRM: 'on', PUBLIC_URL: own, ...mail, ...more }
  copyProject(root, product)
  expect(buildProject(root, env)).toMatchObject({ status: 0, stderr: '' })
  const site = await startSite({ root, port, env })
  return {
    own,
    relay,
    site,
    /** Where the letter to an address leads, once it has come. */
    async linkTo(email: string) {
      await expect.poll(() => relay.read).toContain(email)
      const { text = '' } = await relay.messageTo(email)
      return /http:\S+\/confirm\/[\w-]+/.exec(text)?.[0] ?? ''
    },
    async stop() {
      await site.stop()
      await relay.close()
      await rm(root, { recursive: true })
    },
  }
}
