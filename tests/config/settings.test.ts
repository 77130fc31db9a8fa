import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as programs from '../../src/config/programs.ts'
import { type Reader, readSettings } from '../../src/config/read.ts'
import { type SettingName, settings } from '../../src/config/settings.ts'
import type { Setting } from '../../src/shared/setting.ts'

const all = Object.entries<Setting>(settings) as [SettingName, Setting][]
const read = (name: SettingName, text?: string) =>
  readSettings(({ need }) => need(name), { [name]: text }, '/srv')

describe('each setting', () => {
  it.each(all)('%s has a right default, or a sentence that asks for it', (name, setting) => {
    const { default: byDefault, example } = setting
    const found = read(name)
    if (byDefault !== undefined) return expect(found).toHaveProperty('settings')
    expect(found).toEqual({
      mistakes: [expect.stringMatching(new RegExp(`^${name}: is not set, must be [^\\n]+$`))],
    })
    expect(JSON.stringify(found)).toContain(JSON.stringify(example).slice(1, -1))
  })

  it.each(all.filter(([, { secret }]) => !secret))('%s takes its example', (name, setting) => {
    expect(read(name, setting.example)).toHaveProperty('settings')
  })

  it.each(all.filter(([, { secret }]) => secret))('%s is never repeated', (name) => {
    expect(JSON.stringify(read(name, '\0 a-secret'))).not.toContain('a-secret')
  })
})

it('a wrong setting is a sentence for every program that reads it, and never a fault', () => {
  const wrong = Object.fromEntries(all.map(([name]) => [name, '\0 wrong']))
  const uses = Object.entries(programs).filter(([name]) => name !== 'deskSettings')
  expect(uses.length).toBeGreaterThan(10)
  for (const [name, use] of uses as [string, (reader: Reader) => unknown][])
    expect(readSettings(use, wrong), name).toHaveProperty('mistakes')
  expect(programs.deskSettings(wrong)).toMatchObject({ smtpUrl: null, mailFrom: null })
})

it('what is named like a secret is one', () => {
  const named = all.filter(([name]) => /(KEY|PASSPHRASE|SECRET|SMTP_URL|NOTIFY_URL)$/.test(name))
  expect(named.length).toBeGreaterThan(7)
  expect(named.filter(([, { secret }]) => !secret)).toEqual([])
})

describe('the environment', () => {
  const root = join(import.meta.dirname, '../..')
  const files = ['src', 'bin', 'scripts', 'create', 'bench']
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: root }))
    .concat(globSync('*.ts', { cwd: root }))
    .filter((file) => !file.includes('node_modules'))
  const thatHave = (code: RegExp, among = files) =>
    among.filter((file) => code.test(readFileSync(join(root, file), 'utf8'))).toSorted()

  it('is touched by one file of src, and by Google’s library', () => {
    const code = /process\s*(?:\.|\[['"])env\b|\benv\b[^=]*\} = process\b/
    expect(
      thatHave(
        code,
        files.filter((file) => file.startsWith('src/')),
      ),
    ).toEqual(['src/product/environment.ts', 'src/store/firestore/connection.ts'])
  })

  it('is asked for no setting of ours but by the table, and before Node can read that', () => {
    const names = Object.keys(settings).join('|')
    const asked = `env(?:ironment)?\\.(?:${names})\\b|\\b(?:${names})\\b[^{}]*\\} = (?:process\\.env|environment)`
    expect(thatHave(new RegExp(asked))).toEqual([
      'bin/as-service.mjs',
      'scripts/bootstrap/page-build.mjs',
      'scripts/bootstrap/prepare.mjs',
    ])
  })
})
