/** @module-tag thorough */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { thisMachine } from '../../../../src/announcement/run/dead-run.ts'
import { startEngine, stopEngine } from '../../../../src/desk/server/letters/engine.ts'
import { productFolder } from '../../../../src/product/folders.mjs'
import { isRunning, sessionOf } from '../../../fixtures/processes.ts'
import { tempDir } from '../../../fixtures/temp-dir.ts'

it('an engine outlives whoever began it, and has their settings', async () => {
  const folder = tempDir()
  const log = join(folder, 'launch.1.log')
  const letter = join(folder, 'launch.md')
  writeFileSync(letter, '---\nsubject: We are live\nfrom: team@example.org\n---\nCome in\n')
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'https://example.org' }
  const env = { ...process.env, ...mail, DATA_DIR: folder, LINK_KEY: 'x' }
  const parts = { root: productFolder, env }
  const pid = await startEngine(parts, letter, [], openSync(log, 'a', 0o600))
  // A terminal, or a service that restarts, ends what is of its own session.
  expect(sessionOf(pid)).toBe(pid)
  await expect.poll(() => readFileSync(log, 'utf8')).toMatch(/"code":"settings".*LINK_KEY: /)
})

it('an engine on another machine is not stopped from here, and it is said how', async () => {
  const somebody = spawn('sleep', ['600'])
  onTestFinished(() => void somebody.kill('SIGKILL'))
  await once(somebody, 'spawn')
  const pid = Number(somebody.pid)
  const stop = (host: string) => stopEngine({ host, pid }, true)
  expect(() => stop('elsewhere 7')).toThrow(
    `The run is process ${pid} on elsewhere, where the desk cannot reach it. Press Ctrl-C there`,
  )
  // Nor is one whose number is another program’s by now.
  expect(() => stop(thisMachine())).toThrow('The run has ended already')
  expect(isRunning(pid)).toBe(true)
})
