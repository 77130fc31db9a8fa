import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { commandLine } from '../../../src/operator/terminal/command-line.ts'
import { ended, run } from '../../fixtures/run.ts'

const root = join(import.meta.dirname, '../../..')
const tool = [process.execPath, join(root, 'bin/as-service.mjs'), 'status'] as const

afterEach(() => {
  delete process.env.OPENING_BELL_COMMAND
})

it('says in one line that only root can become the service’s user', async () => {
  if (process.geteuid?.() !== 0) {
    expect((await ended(run(root, tool))).stderr).toContain('sudo opening-bell')
    return
  }
  // A process of root that gives up its rights before it is the tool.
  const code = `process.setuid(65534); await import(${JSON.stringify(tool[1])})`
  const { code: ending, stderr } = await ended(
    run(root, [process.execPath, '--input-type=module', '-e', code]),
  )
  expect({ ending, stderr }).toEqual({
    ending: 1,
    stderr: "Only root can become the service's user: sudo opening-bell …\n",
  })
})

it('says in one line that there is no service here', async (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root gets that far')
  if (existsSync('/etc/opening-bell.env')) return context.skip('it is installed on this machine')
  const { code, stderr } = await ended(run(root, tool))
  expect(code).toBe(1)
  expect(stderr).toMatch(/^The service is not installed here: .*ENOENT.*\n$/)
})

it('is the command that the tool then tells its operator to type', () => {
  process.env.OPENING_BELL_COMMAND = 'sudo opening-bell'
  expect(commandLine('status')).toBe('sudo opening-bell status')
})
