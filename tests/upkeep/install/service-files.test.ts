/** @module-tag thorough */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import product from '../../../product.config.ts'
import { site } from '../../../src/site/site.ts'
import {
  type Place,
  service,
  serviceFiles,
  unitFiles,
} from '../../../src/upkeep/install/service-files.ts'
import { deskSession } from '../../fixtures/desk-cookie.ts'
import { layEmptyList } from '../../fixtures/empty-list.ts'
import { ended, run } from '../../fixtures/run.ts'
import { copyOfServer } from '../../fixtures/server-copy.ts'
import { visitor } from '../../fixtures/spawned-server.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const SECURITY_LIMIT = 1.5

function analyze(context: TestContext, ...args: string[]) {
  // It wants a folder there, which root alone may make.
  if (!existsSync('/run/systemd') && process.getuid?.() !== 0)
    return context.skip('systemd does not run here')
  const { error, status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  if (error) return context.skip('there is no systemd-analyze')
  return { status, stdout, stderr }
}

/** A place with spaces and a percent sign in it, and its units in a folder. @returns their paths. */
function writtenUnits(): string[] {
  const folder = tempDir()
  const root = join(folder, 'opening bell 100%')
  mkdirSync(root)
  const node = join(root, 'node 24')
  symlinkSync(process.execPath, node)
  return unitFiles({ root, node }).map(({ path, text }) => {
    const file = join(folder, basename(path))
    writeFileSync(file, text)
    return file
  })
}

describe('the units', () => {
  it('are understood by systemd without a word, with spaces in their paths', (context) => {
    const found = analyze(context, 'verify', ...writtenUnits())
    expect(found).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it('shut what systemd counts as exposure', (context) => {
    const services = writtenUnits().filter((file) => file.endsWith('.service'))
    expect(services).toHaveLength(4)
    for (const file of services) {
      const { stdout } = analyze(context, 'security', '--offline=true', '--no-pager', file)
      const level = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]
      expect(Number(level), file).toBeLessThanOrEqual(SECURITY_LIMIT)
    }
  })

  it('name the project and Node as systemd reads them', () => {
    const place: Place = { root: '/srv/opening bell 100%', node: '/usr/bin/node' }
    const text = unitFiles(place)[0]?.text
    expect(text).toContain(
      '\nExecStart="/usr/bin/node" --max-semi-space-size=2 "/srv/opening bell 100%%/src/server/main.ts"\n',
    )
  })

  it('say who wrote them, and run what the documents say, when they say it', () => {
    const place: Place = { root: '/srv/x', code: '/srv/x/node_modules/y', node: '/usr/bin/node' }
    const all = unitFiles(place)
    expect(all.map(({ path, mode }) => [dirname(path), mode])).toEqual(
      all.map(() => ['/etc/systemd/system', 0o644]),
    )
    const run = (program: string, options = '') =>
      `"/usr/bin/node"${options} "/srv/x/node_modules/y/src/${program}"`
    const server = run('server/main.js', ' --max-semi-space-size=2')
    const settings = `EnvironmentFile=${service.settings}`
    const ours = `Environment="OPENING_BELL_COMMAND=sudo opening-bell"`
    const [isReady, backUp] = [run('server/is-ready.js'), run('cli/main.js')]
    const copies = `Environment=DATA_DIR=${service.dataDir} BACKUP_TO=${service.backups} BACKUP_KEEP=7,4,12`
    const lines: Record<string, string[]> = {
      'opening-bell.service': [
        ...[
          'Description=Opening Bell',
          'StartLimitIntervalSec=0',
          'Restart=always',
          settings,
          ours,
        ],
        `ExecStartPre=-${server} --load`,
        `ExecStart=${server}`,
        `ExecStartPost=-${isReady} --within 600`,
        `Environment=DATA_DIR=${service.dataDir} NODE_COMPILE_CACHE=/run/opening-bell`,
        ...['StateDirectoryMode=0700', 'KillMode=process', 'TimeoutStopSec=30'],
        'WantedBy=multi-user.target',
      ],
      'opening-bell-watchdog.service': [
        ...['Description=Ask Opening Bell whether it is ready', `ExecStart=${isReady} --within 30`],
        `ExecStopPost=+/bin/sh -c 'if [ "$$EXIT_STATUS" = 2 ] && systemctl is-active --quiet opening-bell.service; then systemctl --no-block try-restart opening-bell.service; fi'`,
        settings,
      ],
      'opening-bell-watchdog.timer': [
        ...['Description=Ask Opening Bell every minute whether it is ready', 'OnActiveSec=1min'],
        ...['OnUnitInactiveSec=1min', 'WantedBy=opening-bell.service'],
      ],
      'opening-bell-backup.service': [
        ...['Description=Back up Opening Bell', 'After=opening-bell.service'],
        ...[`ExecStart=${backUp} backup --keep $BACKUP_KEEP`, copies, ours, settings],
        'PrivateNetwork=yes',
      ],
      'opening-bell-backup.timer': [
        'Description=Back up Opening Bell every night',
        ...['OnCalendar=*-*-* 03:10', 'Persistent=yes', 'WantedBy=timers.target'],
      ],
      'opening-bell-rehearsal.service': [
        'Description=Restore the newest back-up of Opening Bell as a test',
        'After=opening-bell.service opening-bell-backup.service',
        ...[`ExecStart=${backUp} backup --rehearse`, copies],
      ],
      'opening-bell-rehearsal.timer': [
        'Description=Test the newest back-up of Opening Bell every week',
        'OnCalendar=Sun 04:40',
      ],
    }
    for (const { path, text } of all) {
      const name = basename(path)
      const written = text.split('\n')
      expect(written, name).toEqual(expect.arrayContaining(lines[name] ?? ['no such unit']))
      expect(written[0], name).toContain('Written by "bin/opening-bell install --systemd".')
      if (name.endsWith('.service'))
        expect(written, name).toEqual(
          expect.arrayContaining(['User=opening-bell', 'NoNewPrivileges=yes', 'LimitCORE=0']),
        )
    }
  })

  it('allow every system call that a server makes for its visitors, and at the desk', {
    tags: 'long',
  }, async (context) => {
    if (spawnSync('strace', ['-V']).error) return context.skip('there is no strace')
    const allowed = allowedCalls(context)
    const root = copyOfServer()
    cpSync(join(project, site.desk), join(root, site.desk), { recursive: true })
    const log = join(root, 'calls')
    const server = run(
      root,
      ['strace', '-f', '-qq', '-o', log, process.execPath, 'src/server/main.ts'],
      { PORT: '0', HOST: '0.0.0.0', DATA_DIR: join(root, 'data') },
    )
    const [, port] = await server.printed(/ is open at http:\/\/0\.0\.0\.0:(\d+)/)
    const origin = `http://127.0.0.1:${port}`
    expect((await fetch(origin)).status).toBe(200)
    expect(await (await visitor(origin))('ada@example.com')).toBe(201)
    const { cookie } = await deskSession({ url: origin, dataDir: join(root, 'data') })
    expect((await fetch(`${origin}/desk`, { headers: { cookie } })).status).toBe(200)
    server.signalGroup('SIGTERM')
    await server.ended
    const text = readFileSync(log, 'utf8')
    // The two processes share a pair of sockets, for which no family of addresses is needed.
    expect(text).toMatch(/ socketpair\(AF_UNIX/)
    const families = [...text.matchAll(/ socket\((AF_\w+)/g)].map(([, family]) => family)
    for (const family of families) expect(restrictedTo).toContain(family)
    const calls = text.matchAll(/^\d+ +([a-z]\w*)\(/gm)
    const used = new Set([...calls].map(([, call = '']) => call))
    for (const call of ['fsync', 'execve', 'wait4']) expect(used).toContain(call)
    // libuv goes on without io_uring, and only root's SQLite gives its files to another owner.
    for (const spared of ['io_uring_setup', 'io_uring_enter', 'fchown']) used.delete(spared)
    expect([...used].filter((call) => !allowed.has(call))).toEqual([])
  })
})

it('and every one that back-ups and rehearsals make', {
  tags: 'long',
  timeout: 60_000,
}, async (context) => {
  if (spawnSync('strace', ['-V']).error) return context.skip('there is no strace')
  const allowed = allowedCalls(context)
  const folder = tempDir()
  const [DATA_DIR, BACKUP_TO] = [join(folder, 'data'), join(folder, 'copies')]
  for (const one of [DATA_DIR, BACKUP_TO]) mkdirSync(one, { mode: 0o700 })
  layEmptyList(join(DATA_DIR, 'subscribers.sqlite'), product.appId)
  const env = { DATA_DIR, BACKUP_TO, LINK_KEY: '', BACKUP_PASSPHRASE: 'four words are not enough' }
  const used = new Set<string>()
  for (const args of [['--keep', '7,4,12'], ['--rehearse']]) {
    const log = join(folder, 'calls')
    const tool = [process.execPath, 'src/cli/main.ts', 'backup', ...args]
    const { code, stderr } = await ended(
      run(project, ['strace', '-f', '-qq', '-o', log, ...tool], env),
    )
    expect([code, stderr]).toEqual([0, expect.any(String)])
    for (const [, call = ''] of readFileSync(log, 'utf8').matchAll(/^\d+ +([a-z]\w*)\(/gm))
      used.add(call)
  }
  expect(used).toContain('fsync')
  for (const spared of ['io_uring_setup', 'io_uring_enter', 'fchown']) used.delete(spared)
  expect([...used].filter((call) => !allowed.has(call))).toEqual([])
})

const project = join(import.meta.dirname, '../../..')

const restrictedTo =
  /^RestrictAddressFamilies=(.*)$/m
    .exec(unitFiles({ root: '/srv/x', node: '/usr/bin/node' })[0]?.text ?? '')?.[1]
    ?.split(' ') ?? []

/** What the lines `SystemCallFilter=` of the unit come to, in the words of this machine's systemd. */
function allowedCalls(context: TestContext): Set<string> {
  const unit = unitFiles({ root: '/srv/x', node: '/usr/bin/node' })[0]?.text ?? ''
  const allowed = new Set<string>()
  for (const [, not, names = ''] of unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm))
    for (const call of names.split(' ').flatMap((name) => callsIn(context, name)))
      if (not) allowed.delete(call)
      else allowed.add(call)
  expect(allowed.size).toBeGreaterThan(100)
  // systemd needs it to begin the program.
  expect(allowed).toContain('execve')
  return allowed
}

function callsIn(context: TestContext, name: string): string[] {
  if (!name.startsWith('@')) return [name]
  const { stdout } = analyze(context, 'syscall-filter', '--no-pager', name)
  const names = [...stdout.matchAll(/^ {4}(@?[\w-]+)$/gm)].map(([, inside = '']) => inside)
  return names.flatMap((inside) => callsIn(context, inside))
}

describe('the other files', () => {
  const place: Place = { root: '/srv/opening bell', node: '/usr/bin/node' }
  const files = serviceFiles(place, 'https://example.com')
  const file = (path: string) => files.find((one) => one.path === path)

  it('keep the settings to root, and begin with the address that the page was built for', () => {
    expect(file(service.settings)).toMatchObject({ mode: 0o600, onceOnly: true })
    expect(file(service.settings)?.text).toContain('\nPUBLIC_URL=https://example.com\n')
    expect(serviceFiles(place, null).find(({ path }) => path === service.settings)?.text).toContain(
      '\n# PUBLIC_URL=https://example.com\n',
    )
    expect(file(service.users)?.text.trim().split('\n')).toEqual([
      expect.stringContaining('Written by'),
      'u opening-bell - "Opening Bell" /var/lib/opening-bell',
    ])
    expect(
      serviceFiles(place, null)
        .map(({ text }) => text)
        .join(''),
    ).not.toContain('\nPUBLIC_URL')
  })

  it('have a tool that a shell can read, and passes on every word as it is', () => {
    const root = join(tempDir(), 'opening bell')
    mkdirSync(join(root, 'bin'), { recursive: true })
    writeFileSync(
      join(root, 'bin/as-service.mjs'),
      'console.log(JSON.stringify(process.argv.slice(2)))',
    )
    const [tool] = serviceFiles({ root, node: process.execPath }, null).filter(
      ({ path }) => path === service.tool,
    )
    const path = join(root, 'tool')
    writeFileSync(path, tool?.text ?? '', { mode: tool?.mode ?? 0 })
    const { stdout } = spawnSync(path, ['find', 'a b', '$HOME'], { encoding: 'utf8' })
    expect(stdout).toBe('["find","a b","$HOME"]\n')
  })

  it('name programs that are there', () => {
    const text = serviceFiles({ root: project, node: '/usr/bin/node' }, null)
      .map((one) => one.text)
      .join('')
    const names = [...text.matchAll(/["'](\/\S+\.(?:ts|mjs))["']/g)].map(([, name = '']) => name)
    expect(new Set(names.map((name) => basename(name)))).toEqual(
      new Set(['main.ts', 'is-ready.ts', 'as-service.mjs']),
    )
    for (const name of names) expect(existsSync(name), dirname(name)).toBe(true)
  })
})
