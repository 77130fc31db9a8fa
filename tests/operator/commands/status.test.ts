import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { status } from '../../../src/operator/commands/status.ts'
import { parseEmail } from '../../../src/shared/email.ts'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { ids } from '../../fixtures/keys.ts'
import { listening } from '../../fixtures/spoken.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

it('an alarm can be copied into a shell, whatever somebody signed up as', async () => {
  const file = join(tempDir(), 'store.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  const name = "a`echo$ran`'&b|c"
  for (let i = 0; i < 5; i += 1) {
    const email = parseEmail(`${name}+${i}@flood.example`)
    expect(email).toBeDefined()
    await store.add(email ?? '')
  }
  const { out, result } = listening()
  await status(store, { name: 'Meridian', lastBackup: null }, out)
  const [, line = ''] = /LOOK: 5 .*To see them: \S+ (.*)\n/.exec(result()) ?? []
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\n' ${line}`], { encoding: 'utf8' })
  expect(stdout.trim().split('\n')).toEqual([
    ...['forget', '--since', '7d', '--mailbox'],
    `${name}@flood.example`,
  ])
})
