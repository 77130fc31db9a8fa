import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { commandLine } from '../../../src/product/command-line.ts'
import { outOfReach } from '../../fixtures/out-of-reach.ts'
import { ended, run } from '../../fixtures/run.ts'

const root = join(import.meta.dirname, '../../..')
const tool = [process.execPath, join(root, 'bin/as-service.mjs'), 'status'] as const

afterEach(() => {
  delete process.env.OPENING_BELL_COMMAND
})

it('says in one line that only root can become the service’s user', async (context) => {
  if (process.geteuid?.() !== 0) {
    expect((await ended(run(root, tool))).stderr).toContain('sudo opening-bell')
    return
  }
  const closed = outOfReach()
  if (closed) return context.skip(closed)
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

it('refuses settings that systemd reads in another way, before it is anybody or reads anything', async (context) => {
  const inside = ['unshare', '--mount', 'sh', '-ec'] as const
  // An /etc of its own, that nobody else sees.
  const mount = 'mount -t tmpfs none /etc && '
  const probe = await ended(run(root, [...inside, `${mount} true`]))
  if (probe.code !== 0) return context.skip('only root may have an /etc of its own')
  const script = `${mount} echo 'BACKUP_PASSPHRASE=correct horse #1' > /etc/opening-bell.env; exec "$0" "$@"`
  const { code, stderr } = await ended(run(root, [...inside, script, ...tool]))
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      "/etc/opening-bell.env, line 1: systemd and other programs do not read BACKUP_PASSPHRASE alike. Put its value in single quotes, on one line: BACKUP_PASSPHRASE='…'\n",
  })
})
