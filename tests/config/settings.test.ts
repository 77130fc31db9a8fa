import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/config/read.ts'
import { type Setting, type SettingName, settings } from '../../src/config/settings.ts'

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

it('what is named like a secret is one', () => {
  const named = all.filter(([name]) => /(KEY|PASSPHRASE|SECRET|SMTP_URL|NOTIFY_URL)$/.test(name))
  expect(named.length).toBeGreaterThan(7)
  expect(named.filter(([, { secret }]) => !secret)).toEqual([])
})
