/** @module-tag thorough */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import type { Store } from '../../src/store/store.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { operator } from '../fixtures/operator.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { people, person } from '../store/contracts/people.ts'
import { firestoreSettings, newProject, openFirestore } from '../store/every-store.ts'

const main = join(import.meta.dirname, '../../src/cli/main.ts')

/** Three subscribers, and an announcement to them. */
async function fill(store: Store) {
  await store.list.importAll(people(3))
  await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
  await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
  await store.ledger.enlist('me', 'launch', people(3))
  await store.ledger.countEligible('me', 'launch')
}

describe('the tool on Firestore', { timeout: 120_000 }, () => {
  const emulator = withFirestoreEmulator()

  /** The tool as it is called. */
  async function tool({ empty = false } = {}) {
    const { origin } = emulator()
    const project = await newProject(origin, { appId: product.appId })
    const store = openFirestore(origin, project, { appId: product.appId })
    onTestFinished(() => store.close())
    if (!empty) await fill(store)
    const dir = tempDir()
    const env = {
      ...process.env,
      ...firestoreSettings(origin, project),
      DATA_DIR: join(dir, 'none'),
    }
    return {
      dir,
      store,
      run: (args: string[], more: Record<string, string> = {}, input = '') =>
        operator(args, { cwd: dir, env: { ...env, ...more }, input }),
    }
  }

  it('shows who is quarantined, and releases and erases them', async () => {
    const { run, store } = await tool()
    await store.list.add('robot@flood.example', { suspicion: 'hidden-field' })
    await store.list.add('fast@example.com', { suspicion: 'too-quick' })
    expect((await run(['quarantine'])).stdout).toMatch(/ hidden-field +1\n +too-quick +1\n/)
    const release = ['quarantine', '--release', '--sign', 'too-quick', '--yes-count', '1']
    expect((await run(release)).stderr).toMatch(/^1 sign-up released/m)
    expect(
      await run(['quarantine', 'robot@flood.example', 'fast@example.com', '--erase']),
    ).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(
        /^robot@flood.example is erased.\nfast@example.com is not quar/,
      ),
    })
    expect((await run(['list', '--all'])).stdout).toMatch(/subscribed +fast@example.com\n$/)
  })

  it('shows, takes out and brings in as it does on a file', async () => {
    const { run, dir } = await tool()
    const status = await run(['status'])
    expect(status.stdout).toMatch(/Subscribers +3\n/)
    expect(status.stdout).toMatch(/Records +3 +0 % repeat an address\n/)
    expect(status.stdout).toMatch(
      /Announcement +launch, begun .*: 3 in the queue \(those who left get nothing\)\n/,
    )
    expect(status.stdout).toContain("are made by the store's provider")
    expect((await run(['list'])).stdout.match(/person\d/g)).toEqual([
      'person1',
      'person2',
      'person3',
    ])

    expect(await run(['export', '--output', 'list.csv'])).toMatchObject({ code: 0, stdout: '' })
    const exported = readFileSync(join(dir, 'list.csv'), 'utf8')
    expect(exported.split('\r\n')).toHaveLength(1 + 3 + 1)
    const imported = await run(
      ['import', '-'],
      {},
      `${exported}new@example.com,2026-01-02T00:00:00Z\r\n`,
    )
    expect(imported).toMatchObject({ code: 0, stderr: '1 added, 3 known, 0 refused.\n' })

    const found = JSON.parse((await run(['find', person(1).email, '--json'])).stdout)
    expect(found).toMatchObject({
      subscribedAt: person(1).subscribedAt.toISOString(),
      deliveries: [{ announcement: 'launch', status: 'queued' }],
    })
    expect((await run(['forget', person(1).email])).stdout).toContain(
      'The subscriber is forgotten.',
    )
    expect((await run(['find', person(1).email])).code).toBe(3)
    expect((await run(['import', 'list.csv'])).stderr).toBe('0 added, 2 known, 1 refused.\n')
    const rows = (await run(['deliveries', 'launch', '--json'])).stdout.trim().split('\n')
    const emails = rows.map((row) => JSON.parse(row).email)
    expect(emails).toHaveLength(3)
    expect(new Set(emails)).toEqual(new Set([person(2).email, person(3).email, null]))
  })

  it('takes a list over from a file, with the key that was made there', async () => {
    const { run, dir } = await tool({ empty: true })
    const file = { STORE: '', LINK_KEY: '', DATA_DIR: dir }
    const lines = people(3).map(({ email }) => `${email}\n`)
    expect((await run(['import', '-'], file, `email\n${lines.join('')}`)).code).toBe(0)
    await run(['forget', person(2).email], file)
    expect((await run(['backup', '--output', 'copy.sqlite'], file)).code).toBe(0)
    const key = readFileSync(join(dir, 'link.key')).toString('base64')
    const LINK_KEY = `base64:${key}`
    // Without the key of its seal, it is brought back, and nobody is told until somebody has looked.
    expect((await run(['restore', 'copy.sqlite'], { LINK_KEY })).code).toBe(3)
    expect((await run(['status'], { LINK_KEY })).stdout).toContain('LOOK: no announcement leaves.')
    const right = await run(['restore', '--list-is-right'], { LINK_KEY })
    expect(right.stderr).toBe('Announcements may leave again.\n')
    await run(['forget', person(1).email], { LINK_KEY })
    const BACKUP_SEAL_KEY = readFileSync(join(dir, 'seal.key')).toString('base64')
    expect(await run(['restore', 'copy.sqlite'], { LINK_KEY, BACKUP_SEAL_KEY })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^0 brought back, 1 on the list already, 1 stays forgotten; 0 announcements brought back\.\nThe copy was made .*\.\nIts seal is right/,
      ),
    })
    expect((await run(['restore', 'copy.sqlite'])).stderr).toContain(
      'the LINK_KEY that it was made with',
    )
  })

  it('says what it cannot do there, in one line', async () => {
    const { run } = await tool()
    const oneLine = (stderr: string) => expect(stderr.trim()).not.toContain('\n')
    const copy = await run(['backup', '--output', 'copy.sqlite'])
    expect(copy).toMatchObject({ code: 1, stdout: '' })
    expect(copy.stderr).toContain('docs/firebase.md')
    oneLine(copy.stderr)

    expect((await run(['status'], { LINK_KEY: '' })).stderr).toMatch(
      /^LINK_KEY: is not set, must be/,
    )
    expect((await run(['status'], { STORE: 'paper' })).stderr).toMatch(
      /^STORE: is "paper", must be/,
    )

    const nobody = { FIRESTORE_EMULATOR_HOST: '', GOOGLE_APPLICATION_CREDENTIALS: '/nowhere.json' }
    const denied = await run(['status'], nobody)
    expect(denied).toMatchObject({ code: 1, stdout: '' })
    expect(denied.stderr).toMatch(/^Firestore cannot be used: .*\/nowhere\.json/)
    oneLine(denied.stderr)

    const begun = performance.now()
    const away = await run(['list'], { FIRESTORE_EMULATOR_HOST: '127.0.0.1:1' })
    expect(away).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^Firestore/) })
    expect(performance.now() - begun).toBeLessThan(20_000)
  })
})

it("says which setting is missing where a person's own credentials name no project", {
  timeout: 60_000,
}, () => {
  const dir = tempDir()
  const credentials = join(dir, 'application_default_credentials.json')
  const person = { type: 'authorized_user', client_id: 'x', client_secret: 'x', refresh_token: 'x' }
  writeFileSync(credentials, JSON.stringify(person))
  const { GOOGLE_CLOUD_PROJECT: _, FIRESTORE_EMULATOR_HOST: __, ...rest } = process.env
  const { status, stderr } = spawnSync(process.execPath, [main, 'status'], {
    encoding: 'utf8',
    cwd: dir,
    env: {
      ...rest,
      STORE: 'firestore',
      LINK_KEY: 'x'.repeat(32),
      GOOGLE_APPLICATION_CREDENTIALS: credentials,
      // Nobody is asked in the network.
      METADATA_SERVER_DETECTION: 'none',
      HOME: dir,
    },
  })
  expect(stderr).toBe(
    'Firestore cannot be used: the credentials name no project; set GOOGLE_CLOUD_PROJECT.\n',
  )
  expect(status).not.toBe(0)
})
