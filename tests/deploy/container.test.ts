/** @module-tag thorough */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inDataFolder } from '../../src/shared/data-folder.ts'
import { serverNodeOptions } from '../../src/shared/server-node-options.mjs'
import { outOfReach } from '../fixtures/out-of-reach.ts'
import { isSource } from '../fixtures/project-copy.ts'
import { ended, run } from '../fixtures/run.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const project = join(import.meta.dirname, '../..')
const containerfile = readFileSync(join(project, 'Containerfile'), 'utf8')

/** The words of each line of the Containerfile that begins with this. */
const lines = (instruction: string) =>
  [...containerfile.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, words = '']) =>
    words.split(' '),
  )

const copied = lines('COPY')
  .filter(([first = '']) => !first.startsWith('--'))
  .flatMap((words) => words.slice(0, -1))

/** What an image has in `/app`: only what is copied into it, and the packages. */
function app(): string {
  const root = join(tempDir(), 'app')
  for (const path of copied)
    cpSync(join(project, path), join(root, path), {
      recursive: true,
      filter: isSource,
      verbatimSymlinks: true,
    })
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
  return root
}

it('builds the page, serves it, is healthy and ends with 0, with what it copies alone', {
  tags: 'long',
  timeout: 180_000,
}, async () => {
  const root = app()
  const build = spawnSync(process.execPath, ['scripts/build.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: '', PUBLIC_URL: '' },
  })
  expect(build).toMatchObject({ status: 0, stderr: '' })
  const command = JSON.parse(lines('CMD')[0]?.join(' ') ?? '')
  expect(command.slice(0, -1)).toEqual(['node', ...serverNodeOptions])
  const env = { PORT: '0', HOST: '0.0.0.0', DATA_DIR: join(root, '../data') }
  const server = run(root, [process.execPath, ...command.slice(1)], env)
  const [, port = ''] = await server.printed(/open at http:\/\/0\.0\.0\.0:(\d+)/)
  const health = JSON.parse(/^HEALTHCHECK .* CMD (\[.*\])$/m.exec(containerfile)?.[1] ?? '')
  const check = run(root, [process.execPath, ...health.slice(1)], { ...env, PORT: port })
  expect(await ended(check)).toMatchObject({ code: 0, stderr: '' })
  const tool = run(root, [process.execPath, 'src/cli/main.ts', 'list'], env)
  expect(await ended(tool)).toMatchObject({ code: 0 })
  expect(await server.end('SIGTERM')).toBe(0)
})

it('sends the build what it copies and nothing else', () => {
  const ignore = readFileSync(join(project, '.containerignore'), 'utf8').split('\n')
  expect(ignore.filter((line) => line !== '' && !/^[#!]/.test(line))).toEqual([
    '*',
    '**/node_modules',
    '**/.start-*',
  ])
  const allowed = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  expect(allowed.toSorted()).toEqual(copied.toSorted())
})

it('runs no program but those that it copies', () => {
  const health = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(containerfile)?.[1] ?? ''
  const [, linked] = /ln -s \/app\/(\S+)/.exec(containerfile) ?? []
  const built = lines('RUN').filter(([first]) => first === 'node')
  const commands = [lines('CMD')[0]?.join(' ') ?? '', health].map((words) => JSON.parse(words))
  const programs = [...built, ...commands].map(([, ...words]) =>
    words.find((word: string) => !word.startsWith('-')),
  )
  for (const program of [...programs, linked]) {
    expect(existsSync(join(project, program)), program).toBe(true)
    expect(copied, program).toContain(program.split('/')[0])
  }
})

it('runs as nobody special, and keeps everything in one volume', () => {
  expect(lines('USER')).toEqual([['node']])
  expect(lines('VOLUME')).toEqual([['/data']])
  expect(lines('ENV').flat()).toContain('DATA_DIR=/data')
})

/** The server as a user whom `--user 1234` names. */
function serverOf1234(root: string, dataDir: string) {
  const main = JSON.stringify(join(root, 'src/server/main.ts'))
  const code = `process.setgroups([]); process.setgid(1234); process.setuid(1234); await import(${main})`
  const command = [process.execPath, '--input-type=module', '-e', code] as const
  return run(root, command, { DATA_DIR: dataDir, PORT: '0' })
}

it.for<[string, string, (data: string) => void]>([
  ['a folder of root', 'data', (data) => chmodSync(data, 0o755)],
  [
    'a list that root has copied there',
    'data/link.key',
    (data) => {
      writeFileSync(join(data, 'link.key'), 'x', { mode: 0o600 })
      chmodSync(data, 0o777)
    },
  ],
])('says in one line which command makes %s usable', async ([, path, prepare], context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can be somebody else')
  const closed = outOfReach()
  if (closed) return context.skip(closed)
  const folder = tempDir()
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  prepare(dataDir)
  expect(await ended(serverOf1234(project, dataDir))).toEqual({
    code: 1,
    stdout: '',
    stderr: `DATA_DIR: cannot be used: user 1234 may not read and write ${join(folder, path)}, which belongs to user 0: as root, run "chown -R 1234 ${join(folder, path)}", in a container on the folder or the volume that is mounted there\n`,
  })
  rmSync(dataDir, { recursive: true })
})

it('starts again where its group alone may write, with every file that is ever made there', async (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can be somebody else')
  const root = copyOfServer()
  chmodSync(root, 0o755)
  const closed = outOfReach([join(root, 'src'), process.execPath])
  if (closed) return context.skip(closed)
  const dataDir = join(root, 'data')
  mkdirSync(dataDir)
  const rights = (path: string, mode: number) => {
    chownSync(path, 0, 1234)
    chmodSync(path, mode)
  }
  rights(dataDir, 0o2770)
  const starts = async () => {
    const server = serverOf1234(root, dataDir)
    await server.printed(/are kept in/)
    expect(await server.end()).toBe(0)
    expect(server.output('stderr')).toBe('')
  }
  await starts()
  for (const name of Object.values(inDataFolder)) {
    const path = join(dataDir, name)
    if (name === inDataFolder.letters) mkdirSync(path)
    else if (!existsSync(path)) writeFileSync(path, randomBytes(32))
    // As a volume that is given to a group has them once it is mounted again.
    rights(path, name === inDataFolder.letters ? 0o2770 : 0o660)
  }
  await starts()
})
