/** @module-tag thorough */
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { addressIds } from '../../src/keys/address-id.ts'
import { keptLinkKey } from '../../src/keys/link-key.ts'
import { site } from '../../src/site/site.ts'
import { ended } from '../fixtures/run.ts'
import { copyOfServer, withCopyOfServer } from '../fixtures/server-copy.ts'
import { startedServer, startServer, visitor } from '../fixtures/spawned-server.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

/** For all that leave its code and its build as they were. */
const shared = withCopyOfServer()
let root: string
let dataDir: string
beforeEach(() => {
  root = shared()
  dataDir = join(tempDir(), 'data')
})

/** For a test that changes either. */
function ownCopy() {
  root = copyOfServer()
  dataDir = join(root, 'data')
}

const start = (env: Record<string, string> = {}, blocks?: string) =>
  startServer(root, { DATA_DIR: dataDir, ...env }, blocks)

const started = (env: Record<string, string> = {}, blocks?: string) =>
  startedServer(root, { DATA_DIR: dataDir, ...env }, blocks)

function emailsOnDisk() {
  const db = new DatabaseSync(join(dataDir, 'subscribers.sqlite'))
  const rows = db.prepare('SELECT email FROM subscribers').all()
  db.close()
  return new Set(rows.map(({ email }) => email))
}

describe('the server', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'says where it is open and where subscribers are kept, and finishes and exits well on %s',
    async (signal) => {
      const { server, origin } = await started()
      await server.printed(/PUBLIC_URL is not set, so link previews have no picture/)
      const said = server.output('stdout')
      expect(said).toMatch(/^.+ is open at http:\/\/127\.0\.0\.1:\d+\n/)
      expect(said).toContain(`Subscribers are kept in ${join(dataDir, 'subscribers.sqlite')}\n`)
      // Whoever looks there at once finds a list, if an empty one.
      await expect.poll(() => existsSync(join(dataDir, 'subscribers.sqlite'))).toBe(true)
      const subscribe = await visitor(origin)
      const answer = subscribe('visitor@example.com')
      expect(await answer).toBe(201)
      expect(await server.end(signal)).toBe(0)
      expect(emailsOnDisk()).toContain('visitor@example.com')
    },
  )

  it('keeps what is secret to its owner, even if it came with wider rights', {
    tags: 'long',
  }, async () => {
    const first = await started()
    expect(statSync(join(dataDir, 'link.key')).mode & 0o777).toBe(0o600)
    await first.server.end()
    const files = ['link.key', 'subscribers.sqlite']
    chmodSync(dataDir, 0o755)
    for (const file of files) chmodSync(join(dataDir, file), 0o644)
    await started()
    for (const file of files) expect(statSync(join(dataDir, file)).mode & 0o777, file).toBe(0o600)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  it('serves the page when the disk is full, thanks nobody it cannot keep, and recovers', async () => {
    const full = await started({ RATE_LIMIT: '0' }, '96')
    const subscribe = await visitor(full.origin)
    const thanked: string[] = []
    let status = 201
    for (let i = 0; status === 201 && i < 5000; i++) {
      const email = `${'long'.repeat(50)}${i}@example.com`
      status = await subscribe(email)
      if (status === 201) thanked.push(email)
    }
    expect(status).toBe(503)
    expect((await fetch(full.origin)).status).toBe(200)
    expect(await full.server.end()).toBe(0)
    expect(full.server.output()).toContain('The database cannot be used')
    expect(full.server.output()).not.toContain('@')

    const { origin } = await started()
    expect(await (await visitor(origin))('after@example.com')).toBe(201)
    const kept = emailsOnDisk()
    expect(thanked.filter((email) => !kept.has(email))).toEqual([])
  })
})

describe('the server refuses to start, in one line,', () => {
  async function refusal(env: Record<string, string>) {
    const { code, stdout, stderr } = await ended(start(env))
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr.trim()).not.toContain('\n')
    return stderr
  }

  it('with a setting that is wrong', async () => {
    expect(await refusal({ PORT: 'http' })).toMatch(/^PORT: is "http", must be/)
  })

  it('asks nobody back with a page that was built without that', async () => {
    const all = {
      PUBLIC_URL: 'http://localhost',
      SMTP_URL: 'smtp://localhost',
      MAIL_FROM: 'a@b.example',
    }
    expect(await refusal({ ...all, CONFIRM: 'on' })).toBe(
      'The page is built without CONFIRM=on: run "CONFIRM=on npm run build".\n',
    )
  })

  it('with a page that an earlier version built', async () => {
    ownCopy()
    rmSync(join(root, site.linkPage('confirm', 'news-ask')))
    expect(await refusal({})).toBe(
      'The page is built by an earlier version: run "npm run build".\n',
    )
  })

  it('on a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as { port: number }
    expect(await refusal({ PORT: String(port) })).toBe(
      `PORT: ${port} is in use on 127.0.0.1, choose another one\n`,
    )
  })

  it('on a host that is not its own', { tags: 'long' }, async () => {
    expect(await refusal({ HOST: '192.0.2.1' })).toMatch(/^HOST: cannot listen on 192\.0\.2\.1/)
  })

  it('with a folder that it cannot write in', { tags: 'long' }, async () => {
    const file = join(tempDir(), 'file')
    writeFileSync(file, '')
    const message = await refusal({ DATA_DIR: join(file, 'data') })
    expect(message).toMatch(/^DATA_DIR: cannot be used: /)
  })

  it('with a file where its folder should be', { tags: 'long' }, async () => {
    mkdirSync(join(dataDir, 'link.key'), { recursive: true })
    expect(await refusal({})).toMatch(/^DATA_DIR: cannot be used: /)
  })

  it('with a folder that others may read and that is not for the list alone', async () => {
    mkdirSync(dataDir, { mode: 0o755 })
    writeFileSync(join(dataDir, 'photo.jpg'), '')
    expect(await refusal({})).toMatch(
      /^DATA_DIR: cannot be used: others may read \S+: run "chmod go-rwx /,
    )
    expect(statSync(dataDir).mode & 0o777).toBe(0o755)
    chmodSync(dataDir, 0o700)
    await started()
  })

  const inBuild = 'with its data where the page is served from: %s'
  it.each(['dist/public/data'])(inBuild, isRefusedInBuild)
  it.each(['dist/public', 'dist', 'dist/../dist/data'])(inBuild, { tags: 'long' }, isRefusedInBuild)

  async function isRefusedInBuild(folder: string) {
    ownCopy()
    const message = await refusal({ DATA_DIR: join(root, folder) })
    expect(message).toMatch(
      /^DATA_DIR: cannot be used: it is in \S+, which is served and built anew$/m,
    )
    // Nor where a link leads there.
    symlinkSync(join(root, folder), join(root, 'elsewhere'))
    expect(await refusal({ DATA_DIR: join(root, 'elsewhere') })).toMatch(/which is served/)
    expect(existsSync(join(root, folder, 'link.key'))).toBe(false)
  }

  it('with the list of another product', async () => {
    mkdirSync(dataDir, { mode: 0o700 })
    const ids = addressIds(keptLinkKey(dataDir))
    const file = join(dataDir, 'subscribers.sqlite')
    const other = sqliteStore({ file, appId: 'another', addressIds: ids, log: () => {} })
    await other.list.add('ada@example.com')
    await other.close()
    expect(await refusal({})).toMatch(/^.*holds the subscribers of the appId.*\n$/)
  })

  it('with a product that is not one', { tags: 'long' }, async () => {
    ownCopy()
    writeFileSync(join(root, 'product.config.ts'), 'export default { name: "x" }')
    const { code, stderr } = await ended(start())
    expect(code).toBe(1)
    expect(stderr).toContain('product.config.ts: appId: is missing')
  })

  it('before the page is built', async () => {
    ownCopy()
    rmSync(join(root, 'dist'), { recursive: true })
    expect(await refusal({})).toMatch(/not built/)
  })
})
