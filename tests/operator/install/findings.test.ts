import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { findings } from '../../../src/operator/install/findings.ts'
import { service } from '../../../src/operator/install/service-files.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

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

const found = (hiddenFolders: string[] = []) =>
  findings({ root, node: join(root, 'node_modules/.bin/node') }, { prefix, hiddenFolders })

it('finds nothing in the way of code that is root’s and a page that is built', () => {
  expect(found()).toEqual([])
})

it('names a page that is missing, or built for another address than the settings have', () => {
  const settings = (text: string) => writeFileSync(join(prefix, service.settings), text)
  settings('PUBLIC_URL=https://example.com/\n')
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
  ['belongs to somebody else', () => chownSync(join(root, 'src/main.ts'), 1000, 0)],
  ['others may write', () => chmodSync(join(root, 'src/main.ts'), 0o666)],
  ['the service cannot read', () => chmodSync(join(root, 'src/main.ts'), 0o600)],
])('names the first file that %s, and the command that mends it', (_, spoil) => {
  spoil()
  expect(found()).toHaveLength(1)
  expect(found()[0]).toMatch(/src\/main\.ts (does not belong|can be changed|cannot be read) /)
  expect(found()[0]).toContain(
    `run "chown -R root:root '${root}' && chmod -R u=rwX,go=rX '${root}'" as root`,
  )
})

it('names a folder above the code that others could exchange it in', () => {
  chmodSync(join(root, '..'), 0o777)
  expect(found().join()).toContain('the code must belong to root alone')
})

it('names what the unit would hide, and what a unit cannot name', () => {
  expect(found([join(root, '..')]).join()).toContain('move the project to /srv/opening-bell')
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
