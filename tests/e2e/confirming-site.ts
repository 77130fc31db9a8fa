import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'
import { startProgram } from '../../scripts/program.ts'
import { copyProduct } from '../fixtures/products.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { startRelay } from '../fixtures/relay.ts'
import { startSite } from '../fixtures/running-site.ts'
import { expect } from './fixtures.ts'

export type ConfirmingSite = Awaited<ReturnType<typeof startConfirming>>

/**
 * Builds a product's page with `CONFIRM=on`, and starts its server beside a real mail server.
 *
 * @param more settings of build and server.
 */
export const startConfirmingSite = (product: object, more: Record<string, string> = {}) =>
  startConfirming((root) => copyProject(root, product), more)

async function startConfirming(copy: (root: string) => void, more: Record<string, string> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'opening-bell-confirming-'))
  const relay = await startRelay()
  const port = String(await freePort())
  /** Its address, as `PUBLIC_URL` says it. */
  const own = `http://127.0.0.1:${port}`
  const mail = { SMTP_URL: relay.url, MAIL_FROM: 'hello@example.com' }
  const env = { CONFIRM: 'on', PUBLIC_URL: own, ...mail, ...more }
  copy(root)
  expect(buildProject(root, env)).toMatchObject({ status: 0, stderr: '' })
  const site = await startSite({ root, port, env })
  return {
    root,
    env,
    own,
    relay,
    site,
    /** Where the last letter to an address leads, once one has come. */
    async linkTo(email: string, kind: 'confirm' | 'unsubscribe' = 'confirm') {
      await expect.poll(() => relay.read).toContain(email)
      const { text = '' } = await relay.messageTo(email)
      return new RegExp(`http:\\S+/${kind}/[\\w-]+`).exec(text)?.[0] ?? ''
    },
    async stop() {
      await site.stop()
      await relay.close()
      await rm(root, { recursive: true })
    },
  }
}

/** The same of the bookshop in Arabic and French, with its letter in both. */
export async function startBookshop() {
  const shop = await startConfirming((root) => copyProduct(root, 'librairie'))
  const { root, env, site } = shop
  const letter = join(root, 'launch.md')
  const written = (subject: string) => `---\nsubject: ${subject}\n---\nHello\n`
  await writeFile(letter, written('فتحنا'))
  await writeFile(join(root, 'launch.fr.md'), written('Nous sommes ouverts'))
  return {
    ...shop,
    /** Sends the letter, also to who came since it was sent; the balance must hold. */
    async announce() {
      const tool = [join(root, 'src/cli/main.ts'), 'announce', letter]
      const options = ['--rate=100', '--force=spf,dmarc', '--include-new']
      const run = startProgram(process.execPath, [...tool, ...options], {
        env: { ...process.env, ...env, DATA_DIR: site.dataDir, NO_COLOR: '1' },
      })
      expect(await run.ended, run.output('stderr')).toBe(0)
      expect(run.output('stdout')).toMatch(/The balance holds: (\d) = \1 sent/)
    },
  }
}
