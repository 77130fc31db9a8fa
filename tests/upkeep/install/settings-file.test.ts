import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, it } from 'vitest'
import { readSettings } from '../../../src/upkeep/install/settings-file.mjs'
import { tempDir } from '../../fixtures/temp-dir.ts'

const FILE = '/etc/opening-bell.env'
/** Part of systemd, with the reader of its own that `EnvironmentFile=` has. */
const SYSTEMD = '/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator'

const read = (text: string) => readSettings(Buffer.from(text), FILE)

const good = `# A comment, which isn't read
  ; another
A=abcd
B=correct horse battery
C='abcd#efg \\ back "slash"'
D="it's # fine"
E = spaced\t
F=https://user:pass@host:25/?a=b
G=it's
H=äö
I=Meridian <hello@example.com>
`

it('reads what systemd and Node read alike, as they do', () => {
  const { settings, problems } = read(good)
  expect(problems).toEqual([])
  expect(settings).toEqual(parseEnv(good.replaceAll(/^ *[#;].*$/gm, '')))
  expect(settings).toMatchObject({ C: 'abcd#efg \\ back "slash"', D: "it's # fine" })
  expect(read(good.replaceAll('\n', '\r\n'))).toEqual({ settings, problems })
})

it('reads it as the systemd of this machine does', (context) => {
  if (!existsSync(SYSTEMD)) return context.skip('there is no systemd here')
  const home = tempDir()
  mkdirSync(join(home, 'environment.d'))
  writeFileSync(join(home, 'environment.d/a.conf'), good)
  const env = { XDG_CONFIG_HOME: home, PATH: process.env.PATH }
  const script = `set -a; eval "$(${SYSTEMD})"; exec "$0" -p 'JSON.stringify(process.env)'`
  const theirs = execFileSync('/bin/sh', ['-c', script, process.execPath], {
    env,
    encoding: 'utf8',
  })
  expect(JSON.parse(theirs)).toMatchObject(read(good).settings)
})

it('knows that a setting is set to nothing, whatever follows in the next line', () => {
  expect(read('A=\nB= \nC=c\n').settings).toEqual({ A: '', B: '', C: 'c' })
})

it.each([
  ['a # in a bare value', 'LINK_KEY=secret#tail'],
  ['a # after a space', 'LINK_KEY=secret horse #1'],
  ['a backslash in a bare value', 'LINK_KEY=secret\\n'],
  ['a backslash in double quotes', 'LINK_KEY="secret\\n"'],
  ['words after the quotes', "LINK_KEY='secret' 'more'"],
  ['a comment after the quotes', "LINK_KEY='secret' # mine"],
  ['a quotation mark that nothing ends', 'LINK_KEY="secret'],
  ['what Node takes for quotation marks', 'LINK_KEY=`secret`'],
  ['a line that ends in the middle', 'LINK_KEY=secret\rOTHER=x'],
])('refuses %s, with file, line and setting, and never the value', (_name, line) => {
  const { problems, settings } = read(`A=a\n${line}\n`)
  expect(settings).toEqual({ A: 'a' })
  expect(problems).toEqual([
    `${FILE}, line 2: systemd and other programs do not read LINK_KEY alike. Put its value in single quotes, on one line: LINK_KEY='…'`,
  ])
})

it.each([
  ['a name that a shell would export', 'export LINK_KEY=secret'],
  ['a word', 'secret'],
  ['a comment that goes on in the next line for older versions', '# secret \\'],
  ['a mark before the first line', '\uFEFFA=a'],
])('refuses %s, which is no setting', (_name, line) => {
  expect(read(`${line}\n`)).toEqual({
    settings: {},
    problems: [`${FILE}, line 1 is neither a comment nor a setting, which is NAME='…'.`],
  })
})

it('refuses bytes that are no text', () => {
  const { problems } = readSettings(Buffer.from([65, 61, 0xff]), FILE)
  expect(problems).toEqual([`${FILE} is not UTF-8 text: save it as that.`])
})
