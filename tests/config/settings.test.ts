import { expect, it } from 'vitest'
import { readBackupSettings } from '../../src/config/backup-settings.ts'
import { readAskSettings } from '../../src/config/confirmation-settings.ts'
import { readMailSettings } from '../../src/config/mail-settings.ts'
import { readServerSettings } from '../../src/config/server-settings.ts'
import settings from '../../src/config/settings.json' with { type: 'json' }
import type { Environment } from '../../src/config/variables.ts'

const rows = Object.values(settings)
  .flatMap((variables) => Object.entries(variables as Record<string, { default?: string }>))
  .map(([name, { default: byDefault = '' }]) => [name, byDefault] as const)

/** What others than the server and its commands read. */
const elsewhere = ['BACKUP_KEEP', 'FIREBASE_WEBAPP_CONFIG']

/** Every variable that is asked for, with everything turned on. */
function asked(): string[] {
  const names = new Set<string>()
  const on: Environment = {
    CONFIRM: 'on',
    NOTIFY_MAIL: 'ada@example.com',
    EVENTS: 'left,forgotten',
  }
  const env = new Proxy(on, {
    get(target, name) {
      names.add(String(name))
      return target[String(name)]
    },
  })
  readServerSettings(env, '/srv')
  readBackupSettings(env, '/srv')
  readMailSettings(env)
  readAskSettings(env)
  return [...names]
}

it('settings.json has every setting once, and no other', () => {
  expect(rows.map(([name]) => name).toSorted()).toEqual([...asked(), ...elsewhere].toSorted())
})

it('settings.json names the defaults that the code has', () => {
  const named = rows.flatMap(([name, cell]) => {
    const [, byDefault] = /^`([^`]+)`$/.exec(cell) ?? []
    return byDefault && !elsewhere.includes(name) ? [[name, byDefault]] : []
  })
  expect(named.length).toBeGreaterThan(12)
  // The settings of notices are a mistake where nobody is told of anything.
  const others = {
    NOTIFY_MAIL: 'ada@example.com',
    SMTP_URL: 'smtp://mail.example.com',
    MAIL_FROM: 'hello@example.com',
  }
  const read = readServerSettings(others, '/srv')
  expect(read).toHaveProperty('settings')
  expect(readServerSettings({ ...Object.fromEntries(named), ...others }, '/srv')).toEqual(read)
})
