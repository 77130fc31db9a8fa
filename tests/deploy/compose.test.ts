import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { serverSettings } from '../../src/config/programs.ts'
import { readSettings } from '../../src/config/read.ts'
import { DOMAIN } from './proxy.ts'

const project = join(import.meta.dirname, '../..')
const compose = readFileSync(join(project, 'compose.yaml'), 'utf8').replaceAll(
  /\$\{DOMAIN\b[^}]*\}/g,
  DOMAIN,
)
const containerfile = readFileSync(join(project, 'Containerfile'), 'utf8')

/** The settings beneath a name, each in a line of its own. */
function beneath(name: string): Record<string, string> {
  const [, indent = '', lines = ''] =
    new RegExp(`^( +)${name}:\\n((?:\\1 +[A-Z_]+: .*\\n)+)`, 'm').exec(compose) ?? []
  const pairs = lines
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(indent.length).trim().split(': '))
  return Object.fromEntries(pairs)
}

it('builds the image with arguments that the Containerfile knows', () => {
  const known = [...containerfile.matchAll(/^ARG (\w+)/gm)].map(([, name]) => name)
  const given = Object.keys(beneath('args'))
  expect(given).toEqual(['PUBLIC_URL', 'CONFIRM', 'REFERRALS'])
  expect(known).toEqual(expect.arrayContaining(given))
})

it('gives the server settings that it takes, and trusts its own network alone', () => {
  const read = readSettings(serverSettings, beneath('environment'), project)
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  expect(read.settings).toMatchObject({ publicUrl: `https://${DOMAIN}`, port: 3000 })
  const [, subnet] = /subnet: (\S+)/.exec(compose) ?? []
  expect(beneath('environment').TRUST_PROXY).toBe(subnet)
})

it('keeps the list in a volume at the folder that the image has for it', () => {
  const [, folder] = /^VOLUME (\S+)$/m.exec(containerfile) ?? []
  expect(compose).toContain(`- list:${folder}\n`)
  expect(beneath('environment').DATA_DIR).toBe(folder)
})
