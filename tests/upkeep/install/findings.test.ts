import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { problemInWords as inWords } from '../../../src/cli/commands/install.ts'
import { findings as codes } from '../../../src/upkeep/install/findings.ts'
import { type Place, service } from '../../../src/upkeep/install/service-files.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

/** What stands in the way, as `install` says it. */
const findings = (place: Place, options: Parameters<typeof codes>[1]) =>
  codes(place, options).map(inWords)

let root: string
let prefix: string

/** A project with a page, a Node and an installation around it, all as they should be. */
beforeEach((context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can make files of root')
  const folder = tempDir()
  chmodSync(folder, 0o755)
  root = join(folder, 'project')
  prefix = join(folder, 'system')
  for (const one of ['dist', 'node_modules/.bin', 'node_modules/.cache', 'src'])
    mkdirSync(join(root, one), { recursive: true, mode: 0o755 })
  mkdirSync(join(prefix, 'etc'), { recursive: true })
  write('node_modules/.bin/node', '')
  write('src/main.ts', '')
  write('dist/site.json', JSON.stringify({ publicUrl: 'https://example.com' }))
  // As Node leaves what it keeps.
  write('node_modules/.cache/code', '', 0o600)
})

function write(path: string, text: string, mode = 0o644) {
  writeFileSync(join(root, path), text)
  chmodSync(join(root, path), mode)
}

const main = () => join(root, 'src/main.ts')

const found = (hiddenFolders: string[] = []) =>
  findings({ root, node: join(root, 'node_modules/.bin/node') }, { prefix, hiddenFolders })

it('finds nothing in the way of code that is root’s and a page that is built', () => {
  expect(found()).toEqual([])
})

it('knows what a service of systemd does not see', () => {
  const isHidden = (path: string) =>
    codes({ root: path, node: path }, { prefix }).some(({ code }) => code === 'hidden')
  for (const folder of ['/home', '/root', '/run', '/tmp', '/var/tmp'])
    expect(isHidden(`${folder}/site`)).toBe(true)
  expect(isHidden('/etc/passwd')).toBe(false)
})

it('names a page that is missing, or built for another address than the settings have', () => {
  const settings = (text: string) => writeFileSync(join(prefix, service.settings), text)
  settings('PUBLIC_URL=https://example.com//\n')
  expect(found()).toEqual([])
  settings("PUBLIC_URL='https://other.example'\n")
  expect(found()).toEqual([
    `The page is built for PUBLIC_URL=https://example.com, and ${service.settings} has https://other.example: run "PUBLIC_URL=https://other.example npm run build".`,
  ])
  settings('')
  expect(found().join()).toContain('has none: run "npm run build".')
  write('dist/site.json', JSON.stringify({ publicUrl: null }))
  expect(found()).toEqual([])
})

it('names a setting that systemd would read in another way, and not its value', () => {
  writeFileSync(
    join(prefix, service.settings),
    "PUBLIC_URL=https://example.com\nBACKUP_PASSPHRASE=correct horse #1\nLINK_KEY='ab#cd'\n",
  )
  expect(found()).toEqual([
    `${service.settings}, line 2: systemd and other programs do not read BACKUP_PASSPHRASE alike. Put its value in single quotes, on one line: BACKUP_PASSPHRASE='…'`,
  ])
})

it.each([
  ['belongs to somebody else', () => chownSync(main(), 1000, 0), 'chown -h root:root'],
  ['others may write', () => chmodSync(main(), 0o666), 'chmod go-w'],
  ['the service cannot read', () => chmodSync(main(), 0o600), 'chmod go+rX'],
])('names a file of the code that %s, and the command that mends it', (_, spoil, command) => {
  spoil()
  expect(found()).toEqual([
    expect.stringMatching(/src\/main\.ts (does not belong|can be changed|cannot be read) /),
  ])
  const [, remedy = ''] = /run "(.*)" as root\.$/.exec(found()[0] ?? '') ?? []
  expect(remedy).toBe(`${command} '${main()}'`)
  spawnSync('sh', ['-c', remedy])
  expect(found()).toEqual([])
})

it('opens no list, key or copy that lies beside the code, whatever it tells to run', () => {
  for (const path of ['subscribers.csv', 'data/link.key', '.git/config', 'letters/launch.md']) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    write(path, 'private', 0o600)
  }
  expect(found()).toEqual([])
  chmodSync(main(), 0o600)
  // The temporary folder has any name.
  expect(found()[0]?.replaceAll(root, '')).not.toMatch(/-R|subscribers|data|letters/)
  for (let n = 0; n < 12; n += 1) write(`src/${n}.ts`, '', 0o600)
  expect(found()).toEqual([
    `${root}/src/0.ts cannot be read by the service, and 12 more are like that: put the code there anew, as root and with umask 022, as docs/deploy.md says.`,
  ])
})

it('looks at all that the service is made of', () => {
  const container = readFileSync(join(import.meta.dirname, '../../../Containerfile'), 'utf8')
  const copied = [...container.matchAll(/^COPY (?!--)(.*) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  )
  expect(copied).toContain('src')
  for (const name of [...copied, 'node_modules', 'dist', 'public']) {
    if (!existsSync(join(root, name))) write(name, '')
    const { mode } = statSync(join(root, name))
    chmodSync(join(root, name), mode | 0o002)
    expect(found().join(), name).toContain(`/${name} can be changed by others than root`)
    chmodSync(join(root, name), mode)
  }
})

it('names a folder that others could exchange the code in, its own or one above', () => {
  chmodSync(root, 0o777)
  expect(found()).toEqual([expect.stringContaining(`${root} can be changed by others than root`)])
  chmodSync(root, 0o755)
  chmodSync(join(root, '..'), 0o777)
  expect(found().join()).toContain('the code must belong to root alone')
})

it('names what the unit would hide, and what a unit cannot name', () => {
  expect(found([join(root, '..')]).join()).toContain(
    'If that is the project, move it to /srv/opening-bell',
  )
  const odd = join(root, 'a$b')
  mkdirSync(odd)
  expect(findings({ root: odd, node: `${odd}/node` }, { prefix, hiddenFolders: [] })[0]).toBe(
    `${odd} has a quotation mark, a backslash or a dollar sign in its name: rename it.`,
  )
})

it('sees a list that npm start began, which the service would not find', () => {
  mkdirSync(join(root, 'data'))
  writeFileSync(join(root, 'data/subscribers.sqlite'), '')
  expect(found()).toEqual([
    `The list is in ${root}/data, and the service keeps it in /var/lib/opening-bell: stop the server that uses it, then run "mv '${root}/data' /var/lib/opening-bell".`,
  ])
  mkdirSync(join(prefix, service.dataDir), { recursive: true })
  expect(found()).toEqual([])
})
