import { once } from 'node:events'
import { cpSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { run } from '../fixtures/run.ts'
import { writeSiteFixture } from '../fixtures/site.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const REPOSITORY = join(import.meta.dirname, '../..')

/** A project with the real server and everything it needs, and nothing that is kept. */
function writeServer(root: string): void {
  for (const part of ['src', 'product.config.ts', 'package.json'])
    cpSync(join(REPOSITORY, part), join(root, part), { recursive: true })
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'))
  writeSiteFixture(root)
}

test('Ctrl-C, which npm passes on once more, answers what is in flight and ends with 0', {
  tags: 'thorough',
}, async () => {
  const root = tempDir()
  writeServer(root)
  const server = run(root, [process.execPath, 'src/server/main.ts'], { PORT: '0', HOST: '' })
  const [, port] = await server.printed(/ is open at http:\/\/127\.0\.0\.1:(\d+)/)
  const address = { host: '127.0.0.1', port: Number(port) }

  const visitor = connect(address)
  const begun = once(visitor, 'data')
  visitor.write(
    'POST /api/session HTTP/1.1\r\nhost: bell.example\r\nsec-fetch-site: same-origin\r\n' +
      'content-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n',
  )
  expect(String(await begun)).toMatch(/^HTTP\/1\.1 100 /)
  const answer = text(visitor)
  server.signal('SIGINT')
  await vi.waitFor(() => isClosed(address))
  server.signal('SIGINT')
  visitor.write('{}')

  expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(await server.ended).toBe(0)
})

async function isClosed(address: { host: string; port: number }): Promise<void> {
  const socket = connect(address)
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', () => reject(new Error('the server still takes connections')))
    socket.on('error', () => resolve())
  }).finally(() => socket.destroy())
}
