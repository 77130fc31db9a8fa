/** @module-tag thorough */
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startCommand } from '../../../../src/desk/server/letters/start-command.ts'
import { productFolder } from '../../../../src/product/folders.mjs'
import { sessionOf } from '../../../fixtures/processes.ts'
import { tempDir } from '../../../fixtures/temp-dir.ts'

it('a command outlives whoever began it, has their settings, and leaves what it says to its owner', async () => {
  const folder = join(tempDir(), 'letters')
  const [letter, log] = [join(folder, 'launch.md'), join(folder, 'launch.log')]
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'https://example.org' }
  const env = { ...process.env, ...mail, DATA_DIR: folder, LINK_KEY: 'x' }
  const parts = { root: productFolder, env }
  const writing = () =>
    writeFileSync(letter, '---\nsubject: We are live\nfrom: team@example.org\n---\nCome in\n')
  // Twice: the file has what the last one said.
  for (let n = 0; n < 2; n += 1) {
    const command = await startCommand(parts, letter, [])
    if (n === 0) writing()
    // A terminal, or a service that restarts, ends what is of its own session.
    expect(sessionOf(command.pid ?? 0)).toBe(command.pid)
    await once(command, 'exit')
  }
  expect(readFileSync(log, 'utf8').match(/LINK_KEY: /g)).toHaveLength(1)
  expect(statSync(log).mode & 0o777).toBe(0o600)
})
