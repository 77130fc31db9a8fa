import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installCommand } from '../../../src/cli/commands/install.ts'
import { exitCodes } from '../../../src/terminal/exit-codes.ts'
import { OperatorError } from '../../../src/terminal/operator-error.ts'
import { plain } from '../../../src/terminal/style.ts'
import type { Machine } from '../../../src/upkeep/install/install.ts'
import { service } from '../../../src/upkeep/install/service-files.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const UNIT = '/etc/systemd/system/opening-bell.service'

/** A machine in a folder: what is written goes there, and commands are only noted. */
function machine(given: Partial<Machine> = {}) {
  const prefix = tempDir()
  mkdirSync(join(prefix, 'run/systemd/system'), { recursive: true })
  const commands: string[] = []
  const wrote: string[] = []
  const said: string[] = []
  const all: Machine = {
    root: '/srv/opening-bell',
    node: '/usr/bin/node',
    prefix,
    isRoot: true,
    problems: [],
    run: (command) => commands.push(command.join(' ')) > 0,
    ...given,
  }
  const out = {
    style: plain,
    width: 80,
    progress: () => {},
    write: async (text: string) => void wrote.push(text),
    json: async (value: unknown) => void wrote.push(JSON.stringify(value)),
    say: (text: string) => void said.push(text),
  }
  return {
    run: (options: Parameters<typeof installCommand>[0] = {}) => installCommand(options, all, out),
    file: (path: string) => join(prefix, path),
    commands,
    wrote: () => wrote.join(''),
    said: () => said.join('\n'),
  }
}

const rights = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('install --systemd', () => {
  it('says at first what it would do, and changes nothing', async () => {
    const { run, said, file, commands } = machine({ isRoot: false })
    expect(await run()).toBe(exitCodes.done)
    for (const path of [UNIT, service.settings, service.users, service.tool]) {
      expect(said()).toContain(`  write  ${path}`)
      expect(existsSync(file(path)), path).toBe(false)
    }
    expect(said()).toContain('  run    systemctl restart opening-bell.service ')
    expect(said()).toMatch(/Nothing was changed. The same command with --yes does it.$/)
    expect(commands).toEqual([])
  })

  it('writes and starts it when told so, with the settings for root alone', async () => {
    const { run, said, file, commands } = machine()
    expect(await run({ yes: true })).toBe(exitCodes.done)
    expect(readFileSync(file(UNIT), 'utf8')).toContain('"/srv/opening-bell/src/server/main.ts"')
    expect(rights(file(service.settings))).toBe('600')
    expect(rights(file(service.tool))).toBe('755')
    expect(commands).toEqual([
      'systemd-sysusers /etc/sysusers.d/opening-bell.conf',
      'systemctl daemon-reload',
      'systemctl enable opening-bell.service opening-bell-watchdog.timer opening-bell-backup.timer opening-bell-rehearsal.timer',
      'systemctl restart opening-bell.service opening-bell-backup.timer opening-bell-rehearsal.timer',
    ])
    expect(said()).toMatch(/Done\. .* sudo opening-bell status$/)
  })

  it('says in one line that back-ups hold the keys unencrypted, until a setting encrypts them', async () => {
    const plainCopies = /^Back-ups hold the list and its keys unencrypted, in .*BACKUP_PASSPHRASE/m
    const { run, said, file } = machine()
    await run()
    expect(said().match(/unencrypted/g)).toHaveLength(1)
    expect(said()).toMatch(plainCopies)
    for (const [settings, isSaid] of [
      ['BACKUP_PASSPHRASE=\n', true],
      ["BACKUP_PASSPHRASE='correct horse battery'\n", false],
    ] as const) {
      const other = machine()
      mkdirSync(other.file('/etc'), { recursive: true })
      writeFileSync(other.file(service.settings), settings)
      await other.run({ yes: true })
      expect(plainCopies.test(other.said()), settings).toBe(isSaid)
      expect(other.said()).not.toMatch(/horse/)
    }
    expect(existsSync(file(service.settings))).toBe(false)
  })

  it('leaves the settings as the operator has them, and what is as it writes it', async () => {
    const { run, said, file } = machine()
    await run({ yes: true })
    writeFileSync(file(service.settings), 'PORT=1')
    expect(await run({ yes: true })).toBe(exitCodes.done)
    expect(readFileSync(file(service.settings), 'utf8')).toBe('PORT=1')
    expect(said()).toContain(`  leave  ${UNIT}`)
    expect(existsSync(file(`${UNIT}.before`))).toBe(false)
  })

  it('shows what was changed by hand, and replaces that only when told so', async () => {
    const { run, said, file, commands } = machine()
    await run({ yes: true })
    const written = readFileSync(file(UNIT), 'utf8')
    const theirs = written.replace('TasksMax=128', 'TasksMax=9')
    writeFileSync(file(UNIT), theirs)
    commands.length = 0
    await run()
    expect(said()).toMatch(/Nothing was changed. The same command with --yes --replace does it.$/)
    await expect(run({ yes: true })).rejects.toThrow(
      new OperatorError(
        `Nothing was changed: ${UNIT} is not as this version writes it. --replace replaces it, and keeps the old one beside it as ….before`,
      ),
    )
    expect(said()).toContain(`  CHANGE ${UNIT}\n      - TasksMax=9\n      + TasksMax=128`)
    expect(readFileSync(file(UNIT), 'utf8')).toBe(theirs)
    expect(commands).toEqual([])

    expect(await run({ yes: true, replace: true })).toBe(exitCodes.done)
    expect(readFileSync(file(UNIT), 'utf8')).toBe(written)
    expect(readFileSync(file(`${UNIT}.before`), 'utf8')).toBe(theirs)
  })

  it('prints the units alone, as "systemctl cat" would', async () => {
    const { run, wrote, said } = machine({ isRoot: false, problems: [{ code: 'not-built' }] })
    expect(await run({ print: true })).toBe(exitCodes.done)
    expect(wrote().match(/^# \/etc\/systemd\/system\/\S+$/gm)).toHaveLength(7)
    expect(said()).toBe('')
  })

  it.each([
    ['anybody but root', { isRoot: false }, /only root may do this/],
    ['a machine without systemd', {}, /systemd does not run on this machine/],
    [
      'what stands in the way',
      { problems: [{ code: 'not-built' }] } as const,
      /because of the above/,
    ],
  ])('refuses %s, and writes nothing', async (name, given, message) => {
    const { run, file, commands } = machine(given)
    if (name.includes('without systemd')) rmSync(file('/run'), { recursive: true })
    await expect(run({ yes: true })).rejects.toThrow(message)
    expect(existsSync(file('/etc'))).toBe(false)
    expect(commands).toEqual([])
  })

  it('names each thing in the way before it is asked to go on, and ends with 1', async () => {
    const { run, said } = machine({
      problems: [{ code: 'not-built' }, { code: 'setting', problem: 'So there.' }],
    })
    expect(await run()).toBe(exitCodes.failed)
    expect(said()).toMatch(
      /PROBLEM The page is not built: run "npm run build"\.\nPROBLEM So there\.\nNothing was changed\.$/,
    )
  })

  it('stops where a command fails, and says which, and where to read why', async () => {
    const tried: string[] = []
    const run = ([...command]: readonly string[]) =>
      tried.push(command.join(' ')) > 0 && !command.includes('enable')
    await expect(machine({ run }).run({ yes: true })).rejects.toThrow(
      /^"systemctl enable .*" failed. What went wrong: journalctl -u opening-bell.service -n 20$/,
    )
    expect(tried).toHaveLength(3)
  })
})
