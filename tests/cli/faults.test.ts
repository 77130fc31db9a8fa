/** @module-tag thorough */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { faultText } from '../../src/terminal/fault-text.ts'
import { homeOnFile } from '../fixtures/home.ts'
import { ended, run } from '../fixtures/run.ts'

const main = join(import.meta.dirname, '../../src/cli/main.ts')

/** The tool as it is called, on a list of one. */
async function tool() {
  const { folder, dataDir, store, env } = homeOnFile()
  await store.list.add('ada@example.com')
  await store.close()
  const file = join(dataDir, 'subscribers.sqlite')
  return {
    file,
    call: (...args: string[]) => ended(run(folder, [process.execPath, main, ...args], env)),
  }
}

it('an outage is one line for the operator', async () => {
  const { file, call } = await tool()
  rmSync(file)
  writeFileSync(file, 'Dear reader, this is no database. '.repeat(200))
  expect(await call('list')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The database cannot be used: file is not a database.\n',
  })
})

it('a fault of ours is not taken for one: the operator sees where it is, and can report it', async () => {
  const { file, call } = await tool()
  const db = new DatabaseSync(file)
  // Our SQL does not fit the file.
  db.exec('ALTER TABLE persons RENAME data TO elsewhere')
  db.close()
  const { code, stdout, stderr } = await call('list')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^A fault of Opening Bell: Error \(ERR_SQLITE_ERROR\)\n( +at .*\n)+/)
  expect(stderr).toMatch(/ at .*\/sqlite\/\w+\.ts:\d+:\d+/)
  expect(stderr).not.toContain('@example.com')
})

it('nothing that a library put into its message, or hung on its error, is shown', () => {
  const secret = 'smtp://me:hunter2@mail.example.com'
  const deep = Object.assign(new TypeError(`no route to ${secret}\n    at ${secret}`), { secret })
  const error = Object.assign(new Error(`cannot send to ada: token abc`, { cause: deep }), {
    code: 'ESOCKET',
    response: '550 ada@example.com',
    config: { pass: 'hunter2' },
  })
  const text = faultText(error)
  expect(text).toMatch(
    /^A fault of Opening Bell: Error \(ESOCKET\)\n( +at .*\n)+caused by TypeError\n +at /,
  )
  expect(text).not.toMatch(/hunter2|ada|abc/)
  expect(faultText('hunter2')).toBe('A fault of Opening Bell: string')
})
