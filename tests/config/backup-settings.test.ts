import { describe, expect, it } from 'vitest'
import { backupSettings } from '../../src/config/programs.ts'
import { readSettings } from '../../src/config/read.ts'

const passphrase = 'four words are not enough'

describe('the settings of back-ups', () => {
  const read = (env: Record<string, string>) => readSettings(backupSettings, env, '/srv')

  it('are a folder, a passphrase, and the key that seals', () => {
    expect(read({})).toEqual({ settings: {} })
    expect(read({ BACKUP_TO: 'copies' })).toEqual({ settings: { to: '/srv/copies' } })
    expect(read({ BACKUP_PASSPHRASE: passphrase })).toMatchObject({ settings: { passphrase } })
    const sealKey = Buffer.alloc(32, 7)
    const kept = sealKey.toString('base64')
    expect(read({ BACKUP_SEAL_KEY: kept })).toMatchObject({ settings: { sealKey } })
  })

  it('repeat no secret when they are wrong', () => {
    for (const env of [
      { BACKUP_PASSPHRASE: 'too short' },
      { BACKUP_SEAL_KEY: 'no key' },
      { BACKUP_TO: '$HOME/copies' },
    ]) {
      const found = read(env)
      expect('mistakes' in found && found.mistakes).toHaveLength(1)
      for (const secret of ['too short', 'no key'])
        expect(JSON.stringify(found)).not.toContain(secret)
    }
  })
})
