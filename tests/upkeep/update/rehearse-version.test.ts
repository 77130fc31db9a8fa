/** @module-tag thorough */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { lookAtList } from '../../../src/store/list-at-rest.ts'
import { updateScratch } from '../../../src/store/list-file.ts'
import { rehearseVersion } from '../../../src/upkeep/update/rehearse-version.ts'
import { serviceOf } from '../../../src/upkeep/update/service.ts'
import { tryServer } from '../../../src/upkeep/update/trial.ts'
import { homeOnFile } from '../../fixtures/home.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { worded } from '../worded.ts'

function written(path: string, text: string) {
  const folder = tempDir()
  mkdirSync(join(folder, path, '..'), { recursive: true })
  // As each version has it. Without it, one that lies in a folder above would count.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, path), text)
  return folder
}

/** The program that is installed, as far as a rehearsal asks for it: `backup`. */
const installed = () =>
  written(
    'src/operator/main.ts',
    `import { DatabaseSync } from 'node:sqlite'
    const [, , command, how, to] = process.argv
    if (how === '--keep') {
      console.error(command + ' by the rule ' + to + '\\nto ' + process.env.BACKUP_TO)
      process.exit()
    }
    const list = new DatabaseSync(process.env.DATA_DIR + '/subscribers.sqlite', { readOnly: true })
    list.prepare('VACUUM INTO ?').run(to)`,
  )

/** The version to come: a server that notes its settings, and does this with the list. */
const coming = (
  env: string,
  sql: string,
  page = `response.setHeader('content-type', 'text/html').end()`,
) =>
  written(
    'src/server/main.ts',
    `import { writeFileSync } from 'node:fs'
    import { createServer } from 'node:http'
    import { DatabaseSync } from 'node:sqlite'
    writeFileSync(${JSON.stringify(env)}, JSON.stringify(process.env))
    new DatabaseSync(process.env.DATA_DIR + '/subscribers.sqlite').exec(${JSON.stringify(sql)})
    const server = createServer((_, response) => ${page})
    server.listen(0, '127.0.0.1', () =>
      console.log('The page is open at http://127.0.0.1:' + server.address().port))
    process.on('SIGTERM', () => process.exit())`,
  )

const changed = (field: string, value: string) =>
  `UPDATE documents SET data = json_set(data, '$.${field}', '${value}') WHERE data ->> 'email' = 'ada@example.com'`

/** Rehearses on a list of two. @returns the settings of the version that was tried. */
async function rehearsed(env: NodeJS.ProcessEnv, sql = '') {
  const { dataDir, store } = homeOnFile()
  for (const who of ['ada', 'bob']) await store.list.add(`${who}@example.com`)
  await store.close()
  const seen = join(tempDir(), 'env.json')
  const told: unknown[] = []
  await rehearseVersion(
    {
      root: installed(),
      next: coming(seen, sql),
      isFirestore: false,
      dataDir,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
    },
    (...said) => void told.push(said),
  ).finally(() => expect(existsSync(updateScratch(dataDir))).toBe(false))
  expect(told.at(-1)).toEqual(['tried-on-a-copy', { subscribers: 2, version: undefined }])
  return { env: JSON.parse(readFileSync(seen, 'utf8')), dataDir, told }
}

describe('the trial of a new version', () => {
  it('waits until it is ready, finds that its page is none, and does so on the list itself where nothing else runs it', async () => {
    const { dataDir } = homeOnFile()
    const page = `response.writeHead(globalThis.asked ? 200 : 503, { 'content-type': 'text/plain' })
      .end(String(globalThis.asked = true))`
    const seen = join(tempDir(), 'env.json')
    const root = coming(seen, '', page)
    const service = serviceOf({ kind: 'none' }, root, { PATH: process.env.PATH }, dataDir, () => {})
    expect(await service.restart(20_000)).toEqual({
      why: 'page',
      status: 200,
      said: expect.stringMatching(/^The page is open at http:\S+$/),
    })
    expect(JSON.parse(readFileSync(seen, 'utf8')).DATA_DIR).toBe(dataDir)
  })

  it('gives up one that does not open in time', async () => {
    const silent = `process.on('SIGTERM', () => process.exit())
      setInterval(() => {}, 60_000)`
    const code = written('src/server/main.ts', silent)
    const env = { PATH: process.env.PATH }
    expect(await tryServer({ code, env, owner: {}, withinMs: 1 })).toEqual({
      why: 'no-port',
      said: '',
    })
  })

  it('can reach nobody, neither by mail nor by a notice nor by an event, and has a copy of the list', async () => {
    const given = {
      SMTP_URL: 'smtps://me:secret@mail.example',
      MAIL_FROM: 'me@example.org',
      NOTIFY_URL: 'https://hooks.example/x',
      NOTIFY_SECRET: 's',
      NOTIFY_MAIL: 'me@b.org',
      EVENTS: 'all',
      EVENTS_URL: 'https://hooks.example/events',
      EVENTS_SECRET: 's',
      PORT: '80',
      HOST: '0.0.0.0',
      METRICS_PORT: '9100',
      STORE: 'sqlite',
      BACKUP_TO: ' /copies ',
    }
    const { env, dataDir, told } = await rehearsed(given)
    // Before all else, the installed program makes a back-up by its rule.
    expect(told.slice(0, -1)).toEqual(
      ['backup by the rule 7,4,12', 'to  /copies'].map((line) => ['program-said', { line }]),
    )
    expect(env).toMatchObject({
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'me@example.org',
      STORE: 'sqlite',
      PORT: '0',
      HOST: '127.0.0.1',
      METRICS_PORT: 'off',
      DATA_DIR: updateScratch(dataDir),
    })
    expect(Object.keys(env).filter((name) => /^(NOTIFY|EVENTS)/.test(name))).toEqual([])
    expect(JSON.stringify(env)).not.toMatch(/secret|hooks\.example/)
  })

  it('does not pass with another person in place of one', async () => {
    const change = changed('email', 'eve@example.com')
    await expect(worded(rehearsed({}, change))).rejects.toThrow(
      'With the new version, the 2 subscribers are not the same as before. Nothing was changed.',
    )
  })

  it('sees another time of a sign-up as it sees another person', async () => {
    const { dataDir, store } = homeOnFile()
    await store.list.add('ada@example.com')
    await store.close()
    const before = lookAtList(dataDir)?.digest
    const list = new DatabaseSync(join(dataDir, 'subscribers.sqlite'))
    list.exec(changed('subscribedAt', '2026-01-01T00:00:00.000Z'))
    list.close()
    expect(before).toBeTruthy()
    expect(lookAtList(dataDir)?.digest).not.toBe(before)
  })
})
