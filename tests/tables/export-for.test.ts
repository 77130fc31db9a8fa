import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import product from '../../product.config.ts'
import { exportForTool } from '../../src/cli/commands/export-for.ts'
import { addressIds } from '../../src/keys/address-id.ts'
import { linkKey } from '../fixtures/keys.ts'
import { operator } from '../fixtures/operator.ts'
import { listening } from '../fixtures/spoken.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const AT = '2026-01-02T10:00:00.000Z'
const consent = {
  words: 'é'.repeat(200),
  page: 'a1b2c3',
  language: 'de',
  askedAt: AT,
  messageId: '<one@example.com>',
  letterDigest: 'x',
  confirmedAt: AT,
  how: 'button',
}

/** A data folder with a subscriber, and the command on it. */
async function tool() {
  const dataDir = tempDir()
  const file = join(dataDir, 'subscribers.sqlite')
  const ids = addressIds(linkKey)
  const store = sqliteStore({ file, appId: product.appId, addressIds: ids, log: () => {} })
  await store.list.importAll([
    {
      email: 'ada@example.com',
      subscribedAt: new Date('2026-01-01T10:00:00Z'),
      extra: { firstName: 'Ada', language: 'de', consent, answer: '=80331' },
    },
  ])
  await store.close()
  const env = { DATA_DIR: dataDir, LINK_KEY: linkKey.toString() }
  const cwd = tempDir()
  return { cwd, dataDir, run: (...args: string[]) => operator(args, { env, cwd }) }
}

it('names the columns as each tool does, with times in their zone and as much of a consent as it keeps', async () => {
  const { cwd, run } = await tool()
  const most = 'é'.repeat(127)
  const read = (folder: string, file: string) => readFileSync(join(cwd, folder, file), 'utf8')
  await run('export', '--for', 'kit', '--output', 'kit')
  expect(read('kit', 'subscribers.csv')).toBe(
    `email,first_name,subscribed_at,language,consent_at,consent,reply\r\nada@example.com,Ada,2026-01-01T10:00:00.000Z,de,${AT},${most},'=80331\r\n`,
  )
  await run('export', '--for', 'mailchimp', '--output', 'mailchimp')
  expect(read('mailchimp', 'subscribed_contacts.csv')).toBe(
    `Email Address,First Name,Language,OPTIN_TIME,CONFIRM_TIME,Consent,Reply,Standing\r\nada@example.com,Ada,de,2026-01-01T10:00:00.000Z,${AT},${most},'=80331,subscribed\r\n`,
  )
  await run('export', '--for', 'listmonk', '--output', 'listmonk')
  expect(read('listmonk', 'subscribers.csv')).toBe(
    `email,name,attributes,first_name,language,reply,subscribed_at,standing,standing_at\r\nada@example.com,Ada,"{""subscribed_at"":""2026-01-01T10:00:00.000Z"",""language"":""de"",""reply"":""=80331"",""consent_at"":""${AT}"",""consent"":""${consent.words}""}",Ada,de,'=80331,2026-01-01T10:00:00.000Z,subscribed,\r\n`,
  )
})

it('says what each file is for, and leaves no part of a file behind', async () => {
  const { cwd, run } = await tool()
  const { code, stderr, stdout } = await run('export', '--for', 'kit', '--output', 'kit')
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr).toContain('suppressed.csv: 0 people; never import it')
  expect(stderr).toContain('subscribers.csv: 1 person; make the fields')
  expect(readdirSync(join(cwd, 'kit')).toSorted()).toEqual(['subscribers.csv', 'suppressed.csv'])
  // The same command again replaces its own files.
  expect((await run('export', '--for', 'kit', '--output', 'kit')).code).toBe(0)
})

it('says in one line that a file cannot be written, and keeps none of them', async () => {
  const folder = join(tempDir(), 'kit')
  const stream = () => {
    rmSync(folder, { recursive: true })
    return Readable.from([])
  }
  const options = { tool: 'kit', folder, dataDir: tempDir() } as const
  const work = exportForTool({ list: { stream } } as never, options, listening().out)
  await expect(work).rejects.toThrow(/^\S+\.csv: cannot be written: ENOENT/)
  expect(existsSync(folder)).toBe(false)
})

it('says in one line what is wrong with how it was called', async () => {
  const { cwd, run } = await tool()
  const refused = async (...args: string[]) => {
    const { code, stderr } = await run('export', ...args)
    expect(code).not.toBe(0)
    return stderr
  }
  expect(await refused('--for', 'kit')).toContain('--for kit needs --output and a folder')
  expect(await refused('--for', 'hubspot', '--output', 'x')).toContain('kit, mailchimp, listmonk')
  expect(await refused('--for', 'kit', '--all', '--output', 'x')).toContain('cannot be used with')
  writeFileSync(join(cwd, 'file'), '')
  expect(await refused('--for', 'kit', '--output', 'file')).toContain('name a folder')
  expect(await refused('--for', 'kit', '--output', 'none/there')).toContain('cannot be made')
  expect(existsSync(join(cwd, 'x'))).toBe(false)
})
