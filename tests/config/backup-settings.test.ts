import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { backupSettings } from '../../src/config/programs.ts'
import { readSettings } from '../../src/config/read.ts'

const passphrase = 'four words are not enough'

async function pair() {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

describe('the settings of back-ups', () => {
  const read = (env: Record<string, string>) => readSettings(backupSettings, env, '/srv')

  it('are a folder, recipients or a passphrase, and the key that seals', async () => {
    const [one, two] = [(await pair()).recipient, (await pair()).recipient]
    expect(read({})).toEqual({
      settings: { recipients: [] },
    })
    expect(read({ BACKUP_TO: 'copies', BACKUP_RECIPIENTS: `${one}, ${two}` })).toEqual({
      settings: { to: '/srv/copies', recipients: [one, two] },
    })
    expect(read({ BACKUP_PASSPHRASE: passphrase })).toMatchObject({ settings: { passphrase } })
    const sealKey = Buffer.alloc(32, 7)
    const kept = sealKey.toString('base64')
    expect(read({ BACKUP_SEAL_KEY: kept })).toMatchObject({ settings: { sealKey } })
  })

  it('repeat no secret when they are wrong', async () => {
    const { identity, recipient } = await pair()
    for (const env of [
      { BACKUP_RECIPIENTS: identity },
      { BACKUP_PASSPHRASE: 'too short' },
      { BACKUP_SEAL_KEY: 'no key' },
      { BACKUP_TO: '$HOME/copies' },
      { BACKUP_RECIPIENTS: recipient, BACKUP_PASSPHRASE: passphrase },
    ]) {
      const found = read(env)
      expect('mistakes' in found && found.mistakes).toHaveLength(1)
      for (const secret of [identity, 'too short', 'no key', passphrase])
        expect(JSON.stringify(found)).not.toContain(secret)
    }
  })
})
