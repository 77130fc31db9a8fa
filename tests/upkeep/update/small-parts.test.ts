import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../../scripts/free-port.ts'
import { lastLines, outliveTerminal, runCommand } from '../../../src/upkeep/update/command.ts'
import { type Git, gitIn } from '../../../src/upkeep/update/git.ts'
import { newSteps } from '../../../src/upkeep/update/new-steps.ts'
import { ownUrl, whyNotReady } from '../../../src/upkeep/update/ready.ts'
import { refuseOthersFolder } from '../../../src/upkeep/update/right-user.ts'
import { waitingRuns } from '../../../src/upkeep/update/waiting-runs.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

it('a server is asked where its settings say that it listens, on this machine', () => {
  for (const [env, url] of [
    [{}, 'http://127.0.0.1:3000'],
    [{ HOST: ' ', PORT: ' ' }, 'http://127.0.0.1:3000'],
    [{ HOST: ' 0.0.0.0 ', PORT: ' 80 ' }, 'http://127.0.0.1:80'],
    [{ HOST: '::' }, 'http://[::1]:3000'],
    [{ HOST: 'fd00::7' }, 'http://[fd00::7]:3000'],
    [{ HOST: '192.0.2.1' }, 'http://192.0.2.1:3000'],
  ] as const)
    expect(ownUrl(env)).toBe(url)
})

it('a server is waited for until it can store a sign-up, and no longer where it has ended', async () => {
  const asked: string[] = []
  const statuses = [503, 503, 200]
  const server = createServer((request, response) => {
    asked.push(String(request.url))
    response.writeHead(statuses.shift() ?? 503).end()
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await whyNotReady(url, 20_000)).toBeUndefined()
  expect(asked).toEqual(['/readyz', '/readyz', '/readyz'])
  expect(await whyNotReady(url, 20_000, () => false)).toEqual({ why: 'ended' })
  expect(await whyNotReady(url, 0)).toEqual({ why: 'status', status: 503, afterMs: 0 })
  expect(await whyNotReady(`http://127.0.0.1:${await freePort()}`, 0)).toEqual({
    why: 'silent',
    error: expect.stringContaining('ECONNREFUSED'),
    afterMs: 0,
  })
})

it('the steps that a version adds are read from its text, in their order, with the reason of each', async () => {
  const step = (version: number, why: string) =>
    `export const it = {\n  version: ${version},\n  why: ${why},\n  up(db) {}\n}\n`
  const commits: Record<string, string> = {
    old: step(9, "'As it was.'"),
    new: [
      step(11, '"It is the visitor\'s."'),
      step(9, "'As it was.'"),
      step(10, "\n    'A longer one.'"),
      step(12, '`With a sign: $.`'),
    ].join(''),
  }
  const asked: (readonly string[])[] = []
  const ask = async (args: readonly string[]) => {
    asked.push(args)
    return { status: 0, stdout: commits[args.at(-3) ?? ''] ?? '', stderr: '', isCut: false }
  }
  const git = { ask } as unknown as Git
  expect(await newSteps(git, 'src/store/sqlite/migrations', 'old', 'new')).toEqual([
    '10: A longer one.',
    "11: It is the visitor's.",
    '12: With a sign: $.',
  ])
  expect(asked[0]?.slice(-2)).toEqual(['--', 'src/store/sqlite/migrations/*.ts'])
})

it('of a program that failed the last lines are shown, of its errors where it has any', () => {
  const ended = (stdout: string, stderr = '') => ({ status: 1, isCut: false, stdout, stderr })
  const lines = Array.from({ length: 14 }, (_, n) => `line ${n}`)
  expect(lastLines(ended(`${lines.join('\n')}\n`))).toBe(lines.slice(2).join('\n'))
  expect(lastLines(ended('said', ' wrong\nworse\n'), 1)).toBe('worse')
})

it('a program that is started has nothing to read, and one that may not run is no outage of another user', async () => {
  expect(await runCommand('cat', [], { cwd: '/', withinMs: 20_000 })).toMatchObject({
    status: 0,
    isCut: false,
  })
  await expect(runCommand('/etc', [], { cwd: '/' })).rejects.toMatchObject({ code: 'EACCES' })
})

it('goes on where the terminal that it wrote to is gone', () => {
  const before = [process.stdout, process.stderr].map((stream) => stream.listeners('error'))
  onTestFinished(() => {
    for (const [i, stream] of [process.stdout, process.stderr].entries())
      for (const one of stream.listeners('error'))
        if (!before[i]?.includes(one)) stream.off('error', one as () => void)
  })
  outliveTerminal()
  for (const [i, stream] of [process.stdout, process.stderr].entries())
    expect(stream.listenerCount('error')).toBe(Number(before[i]?.length) + 1)
})

/** A program that stands before all others of its name. */
function program(name: string, script: string) {
  const folder = tempDir()
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  onTestFinished(() => void vi.unstubAllEnvs())
}

it('says of a repository that it is too much, and not that git failed', async () => {
  program('git', 'head -c 70000000 /dev/zero')
  await expect(gitIn(tempDir())(['log', '--all', 'main'])).rejects.toMatchObject({
    why: { code: 'too-much-for-git', args: 'log --all' },
  })
})

it('takes a process whose open files are hidden for one that waits, also on another system', () => {
  // Linux has no process of these ids.
  program(
    'ps',
    `[ "$*" = "-axo pid=,args=" ] && printf '%s\\n' \
      '  5000001 node /srv/bin/opening-bell.mjs announce --yes' \
      '  5000002 node /srv/bin/opening-bell.mjs list'`,
  )
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor
  onTestFinished(() => void Object.defineProperty(process, 'platform', platform))
  Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' })
  expect(waitingRuns(tempDir())).toEqual([5_000_001])
})

it('names root for the owner of a checkout also where no program does', (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can be somebody else')
  const root = tempDir()
  vi.stubEnv('PATH', '/nowhere')
  const user = vi.spyOn(process, 'geteuid').mockReturnValue(4242)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    user.mockRestore()
  })
  expect(() => refuseOthersFolder(root)).toThrow(
    expect.objectContaining({
      why: { code: 'others-checkout', root, owner: { uid: 0, name: 'root' } },
    }),
  )
})
