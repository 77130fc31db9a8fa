/** @module-tag thorough */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { addressIds } from '../../src/keys/address-id.ts'
import { keptLinkKey } from '../../src/keys/link-key.ts'
import { commandLine } from '../../src/product/command-line.ts'
import type { Subscriber } from '../../src/shared/subscriber.ts'
import type { Store } from '../../src/store/store.ts'
import { enlist } from '../fixtures/enlist.ts'
import { type OperatorOptions, operator } from '../fixtures/operator.ts'
import { restorePeople } from '../fixtures/restored.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { people, person } from '../store/contracts/people.ts'

const root = join(import.meta.dirname, '../..')
const main = join(root, 'src/cli/main.ts')

/** The tool as it is called, on a data folder of its own. */
async function tool(count: number) {
  const dataDir = tempDir()
  const opened = () =>
    sqliteStore({
      file: join(dataDir, 'subscribers.sqlite'),
      appId: product.appId,
      addressIds: addressIds(keptLinkKey(dataDir)),
      log: () => {},
    })
  const store = opened()
  const signUp = (to: Store, some: readonly Subscriber[]) =>
    restorePeople(
      to,
      some.map(({ email, subscribedAt: at }) => ({ email, at })),
      addressIds(keptLinkKey(dataDir)).of,
    )
  for (let i = 0; i < count; i += 500) await signUp(store, people(count).slice(i, i + 500))
  const announce = async () => {
    await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
    await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
    await enlist(store, 'me', 'launch', people(count))
    await store.ledger.countEligible('me', 'launch')
    const [row] = await store.ledger.claim('me', 'launch', { limit: 1, which: 'untried' })
    const number = row?.number ?? 0
    await store.ledger.record('me', 'launch', [
      { number, tries: 1, status: 'failed', answer: '550 no' },
    ])
  }
  if (count > 0 && count < 100) await announce()
  await store.close()

  const env = { ...process.env, DATA_DIR: dataDir, LINK_KEY: '', npm_lifecycle_event: '' }
  return {
    dataDir,
    /** People who signed up at the page at their time. */
    async signUp(...some: readonly Subscriber[]) {
      const store = opened()
      await signUp(store, some)
      await store.close()
    },
    run: (args: string[], options: Pick<OperatorOptions, 'input' | 'env'> = {}) =>
      operator(args, { ...options, cwd: dataDir, env: { ...env, ...options.env } }),
    pipe: (command: string) =>
      spawnSync('bash', ['-c', `set -o pipefail; ${command}`, process.execPath, main], {
        encoding: 'utf8',
        env,
      }),
    env,
  }
}

describe('the tool on the command line', () => {
  it('works on no folder that others may read, and takes rights from one of its own', async () => {
    const { run, dataDir } = await tool(1)
    chmodSync(dataDir, 0o755)
    chmodSync(join(dataDir, 'subscribers.sqlite'), 0o644)
    expect(await run(['status'])).toMatchObject({ code: 0, stderr: '' })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'subscribers.sqlite')).mode & 0o777).toBe(0o600)

    writeFileSync(join(dataDir, 'photo.jpg'), '')
    chmodSync(dataDir, 0o755)
    const { code, stdout, stderr } = await run(['list'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^DATA_DIR: cannot be used: others may read \S+: run "chmod.*\n$/)
    expect((await run(['list'], { env: { DATA_DIR: join(root, 'dist/public') } })).stderr).toMatch(
      /^DATA_DIR: cannot be used: it is in /,
    )
  })

  it('ends with 2 when it is called wrongly, and with 1 when it cannot', async () => {
    const { run, dataDir } = await tool(1)
    for (const wrong of [[], ['fly'], ['find'], ['status', '--loud'], ['export', '--format', 'x']])
      expect(await run(wrong), wrong.join(' ')).toMatchObject({ code: 2, stdout: '' })
    expect((await run(['send', 'launch.md'])).stderr).toContain('announce sends a letter')
    expect(await run(['find', 'ada'])).toEqual({
      code: 2,
      stdout: '',
      stderr: '"ada" is not an e-mail address.\n',
    })
    for (const wrong of [
      ['open', 'nowhere'],
      ['open', 'https://app.example', '--at', 'soon'],
      ['backup', '--keep', '7,4,12'],
    ])
      expect(await run(wrong), wrong.join(' ')).toMatchObject({ code: 2, stdout: '' })
    expect(await run(['deliveries', 'other'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no announcement "other". The announcements: launch.\n',
    })
    const nowhere = { DATA_DIR: join(dataDir, 'none') }
    expect(await run(['status'], { env: nowhere })).toMatchObject({
      code: 1,
      stderr: `DATA_DIR: there is no folder ${nowhere.DATA_DIR}. Name the folder of the server, or make this one.\n`,
    })
    expect(existsSync(nowhere.DATA_DIR)).toBe(false)
    expect((await run(['list'], { env: { LINK_KEY: 'short' } })).stderr).toMatch(
      /^LINK_KEY: is not valid/,
    )
  })

  it.each(['Etc/GMT+12', 'Etc/GMT-14'])('begins a day where the operator is: %s', async (TZ) => {
    const { run, signUp } = await tool(0)
    const hours = -Number(TZ.slice('Etc/GMT'.length))
    const there = new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 10)
    const midnight = Date.parse(`${there}T00:00:00Z`) - hours * 3_600_000
    await signUp(
      { email: 'yesterday@example.com', subscribedAt: new Date(midnight - 1) },
      { email: 'today@example.com', subscribedAt: new Date(midnight) },
    )

    const found = JSON.parse((await run(['status', '--json'], { env: { TZ } })).stdout)
    expect(found.days.slice(-2)).toMatchObject([
      { day: new Date(Date.parse(there) - 86_400_000).toISOString().slice(0, 10), signUps: 1 },
      { day: there, signUps: 1 },
    ])
    expect(found).toMatchObject({ today: 1, week: 2 })
    const listed = async (option: string) =>
      (await run(['list', option, there], { env: { TZ } })).stdout
    expect(await listed('--since')).toBe(`${there} 00:00  today@example.com\n`)
    expect(await listed('--until')).toMatch(/^\S+ 23:59 {2}yesterday@example\.com\n$/)
  })

  it('shows a flood', async () => {
    const { run, signUp } = await tool(1)
    const subscribedAt = new Date()
    const flood = Array.from({ length: 52 }, (_, i) => `victim+${i}@flood.example`)
    await signUp(...flood.map((email) => ({ email, subscribedAt })))
    expect(
      (await run(['unsubscribe', 'victim+0@flood.example', 'victim+1@flood.example'])).code,
    ).toBe(0)
    // The list shows them and erases nobody, and finds as many.
    for (const which of [
      ['--matching', '*@flood.example'],
      ['--mailbox', 'victim@flood.example'],
    ])
      expect((await run(['list', '--since', '7d', ...which])).stderr).toMatch(/^50 subscribers\./)
  })

  it('is never a reason for a mail server to send a message back', async () => {
    const { run, dataDir } = await tool(1)
    const input = 'From: x\nSubject: Out of office\n\nBack on Monday.\n'
    expect(await run(['suppress', '-'], { input })).toMatchObject({ code: 0, stdout: '' })
    expect((await run(['suppress', '-'], { input: '' })).code).toBe(0)
    for (const env of [{ DATA_DIR: join(dataDir, 'none') }, { LINK_KEY: 'x' }])
      expect((await run(['suppress', '-'], { input, env })).code).toBe(75)
    expect((await run(['suppress', '-', '--loud'], { input })).code).toBe(75)
    expect((await run(['suppress', 'none.csv'], { input })).code).toBe(1)
  })

  it('shows what a file says, and lets none of it act on the terminal', async () => {
    const { run, dataDir } = await tool(0)
    const evil = '\u001b]52;c;ZXZpbA==\u0007\u009b2J\u202e'
    const header = await run(['import', '-'], { input: `email,"${evil}"\n${evil}@example.com,x\n` })
    const all = header.stdout + header.stderr
    expect(all).toContain('\\u001b]52')
    expect(all).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    const json = await run(['import', '-', '--json'], { input: `email\n${evil}\n` })
    expect(json.stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    expect(JSON.parse(json.stdout.split('\n')[0] ?? '').refused).toContain('\\u001b]52')
    const file = await run(['import', `${evil}.csv`])
    expect(file.stderr).toMatch(/^There is no file \\u001b\]52.*\n$/)
    const folder = await run(['import', dataDir])
    expect(folder).toMatchObject({ code: 1, stderr: 'The file cannot be read: it is a folder\n' })
    const quote = await run(['import', '-'], { input: 'email,name\nada@example.com,A"da\n' })
    expect(quote).toMatchObject({ code: 1, stdout: '' })
    expect(quote.stderr).toMatch(/^line 2: a quote stands in a cell .*\n$/)
  })

  it('lists the recipients of an announcement with their status', async () => {
    const { run } = await tool(3)
    const all = await run(['deliveries', 'launch'])
    expect(all.stdout.match(/person\d/g)).toEqual(['person1', 'person2', 'person3'])
    expect(all.stderr).toBe('3 rows.\n')
    const failed = await run(['deliveries', 'launch', '--status', 'failed', '--json'])
    expect(JSON.parse(failed.stdout)).toMatchObject({ email: person(1).email, answer: '550 no' })
    expect(
      (await run(['deliveries', 'launch', '--not-sent'])).stdout.match(/person/g),
    ).toHaveLength(3)
    expect((await run(['deliveries', 'launch', '--status', 'sent'])).stdout).toBe('')
  })

  it('copies everything, and brings back what is missing', async () => {
    const { run, dataDir } = await tool(3)
    expect((await run(['status'])).stdout).toMatch(
      /^LOOK: Last back-up: never\. To have one made each night: /m,
    )
    const copied = await run(['backup', '--to', tempDir(), '--json'])
    const { file } = JSON.parse(copied.stdout)
    expect(copied.code).toBe(0)
    expect((await run(['status', '--all'])).stdout).toMatch(
      /^Last back-up: \d{4}-.* less than a day ago$/m,
    )
    const check = await run(['restore', file, '--check', '--json'])
    const whole = { subscribers: 3, announcements: 1, keys: ['link.key'], seal: 'whole' }
    expect(JSON.parse(check.stdout)).toEqual({ ...whole, madeAt: expect.any(String) })
    await run(['forget', person(1).email])
    const restored = await run(['restore', file])
    expect(restored.stderr).toMatch(
      /^0 brought back, 2 on the list already, 1 stays forgotten; 0 announcements brought back\.\nThe copy was made .*\.\n2 people were still to be told .*\.\nThe list that was there is .*\.\nNo announcement that the copy does not know leaves/,
    )
    const elsewhere = tempDir()
    cpSync(join(dataDir, 'seal.key'), join(elsewhere, 'seal.key'))
    const moved = await run(['restore', file], { env: { DATA_DIR: elsewhere } })
    expect(moved.stderr).toContain(
      '2 people were still to be told when the copy was made, and may have been told since: their letters are uncertain now.\n',
    )
  })

  it('writes a file whole, for its owner only, or not at all', async () => {
    const { run, dataDir } = await tool(3)
    expect(await run(['export', '--output', 'list.csv'])).toMatchObject({ code: 0, stdout: '' })
    const file = join(dataDir, 'list.csv')
    expect(readFileSync(file, 'utf8')).toBe((await run(['export'])).stdout)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    writeFileSync(file, 'precious')
    expect((await run(['list', '--since', 'never', '--output', 'list.csv'])).code).toBe(2)
    expect(readFileSync(file, 'utf8')).toBe('precious')
    expect(readdirSync(dataDir).filter((name) => name.endsWith('.part'))).toEqual([])
    const nowhere = await run(['export', '--output', 'none/list.csv'])
    expect(nowhere.code).toBe(1)
    expect(nowhere.stderr).toBe('none/list.csv: cannot be written: there is no folder none\n')
  })

  it('goes quietly when whoever reads it has read enough', async () => {
    const { pipe } = await tool(4000)
    const { status, stdout, stderr } = pipe('"$0" "$1" list 2>&1 | head -1')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain(person(1).email)
  })

  it('starts on an older Node, as npm may start it, where the caller stands', async (context) => {
    const older = olderNode()
    if (!older) return context.skip('there is no older Node')
    const { dataDir, env } = await tool(3)
    const bin = join(root, 'bin/opening-bell.mjs')
    const options = { encoding: 'utf8', cwd: dataDir } as const
    const { status, stdout } = spawnSync(older, [bin, 'export'], { ...options, env })
    expect(status).toBe(0)
    expect(stdout.split('\r\n')).toHaveLength(1 + 3 + 1)
    // `npm run operator` begins in the project's folder.
    const asNpmRun = { ...env, npm_lifecycle_event: 'operator', INIT_CWD: dataDir }
    const args = [bin, 'list', '--output', 'list.txt']
    const run = spawnSync(older, args, { ...options, cwd: root, env: asNpmRun })
    expect(run.status).toBe(0)
    expect(existsSync(join(dataDir, 'list.txt'))).toBe(true)
    expect(spawnSync(older, [bin, 'fly'], { ...options, env }).status).toBe(2)
  })

  it('is named, where it says what to run next, as it can be typed there', async () => {
    const before = process.cwd()
    onTestFinished(() => process.chdir(before))
    process.chdir(root)
    expect(commandLine('status')).toBe('bin/opening-bell status')
    process.chdir(tempDir())
    expect(commandLine('status')).toBe(`${root}/bin/opening-bell status`)
  })
})

/** A Node on the PATH that cannot run the tool itself. */
function olderNode(): string | undefined {
  const nodes = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  return nodes.find((node) => {
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
    return stdout && Number.parseInt(stdout.slice(1), 10) < 24
  })
}
