/** @module-tag thorough */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, type TestContext } from 'vitest'
import { ids } from '../fixtures/keys.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { changesIn, Disk } from './disk/power-loss.ts'
import { buildDisk } from './disk/preload.ts'
import { amount, chance, report, seed } from './form.ts'

// Forgetting somebody, which every tenth group does, empties the write-ahead log.
const GROUPS = amount(200, 2000)
const POWER_LOSSES = amount(60, 3000)

/** What a store wrote and promised on the disk that writes everything down. */
function workOnDisk(context: TestContext, root: string): Buffer {
  const disk = buildDisk()
  if ('missing' in disk) return context.skip(disk.missing)
  const folder = join(tempDir(), 'data')
  mkdirSync(folder)
  const log = join(tempDir(), 'log')
  const script = join(import.meta.dirname, 'disk/work.ts')
  const args = [script, root, folder, String(GROUPS), String(seed)]
  const env = { ...process.env, LD_PRELOAD: disk.library, DISK_FOLDER: folder, DISK_LOG: log }
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The work ended with ${status}:\n${stderr}`)
  return readFileSync(log)
}

/** Takes the power away at moments all over the work. @returns what each time was not as promised. */
async function losePower(log: Buffer, times: number): Promise<string[]> {
  const random = chance(seed)
  const changes = [...changesIn(log)]
  const moments = Array.from({ length: times }, () => Math.floor(random() * changes.length))
  const moment = moments.toSorted((a, b) => a - b).values()
  const disk = new Disk()
  let promises = ''
  const broken: string[] = []
  let next = moment.next().value
  for (const [at, change] of changes.entries()) {
    for (; at === next; next = moment.next().value) {
      const wrong = await differences(disk.afterPowerLoss(random), promises)
      if (wrong !== '') broken.push(`change ${at}: ${wrong}`)
    }
    if (change.name === 'promises') promises += change.data
    else disk.apply(change)
  }
  return broken
}

/** Opens what is left as the server would, and holds it against what was promised. */
async function differences(left: Map<string, Buffer>, promises: string): Promise<string> {
  const folder = tempDir()
  const file = join(folder, 'subscribers.sqlite')
  // SQLite makes its shared memory anew, as the system forgets it.
  for (const [name, content] of left)
    if (!name.endsWith('-shm') && name !== 'promises') writeFileSync(join(folder, name), content)
  try {
    const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
    await store.list.add('after@example.com')
    await store.close()
    const db = new DatabaseSync(file)
    const [intact] = db.prepare('PRAGMA integrity_check').all()
    const kept = new Set(
      db
        .prepare('SELECT email FROM subscribers')
        .all()
        .map((row) => row.email),
    )
    db.close()
    const promised = promisesIn(promises)
    const lost = promised.kept.filter((email) => !kept.has(email))
    const back = promised.gone.filter((email) => kept.has(email))
    if (intact?.integrity_check !== 'ok') return `the file is damaged: ${intact?.integrity_check}`
    return lost.length + back.length > 0 ? `${lost.length} lost, ${back.length} back` : ''
  } catch (error) {
    return `the file cannot be used: ${error}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function promisesIn(text: string) {
  const said = text.split('\n').map((line) => line.split(' '))
  const whom = (what: string) => said.filter(([did]) => did === what).map(([, email]) => email)
  // Between its two lines, an address may be there or not.
  const leaving = new Set(whom('forgetting'))
  return {
    kept: whom('added').filter((email) => !leaving.has(email)),
    gone: whom('forgotten'),
  }
}

it('a power failure at any moment takes nobody who was added, and brings nobody back who was forgotten', async (context) => {
  const log = workOnDisk(context, join(import.meta.dirname, '../..'))
  expect(await losePower(log, POWER_LOSSES), `seed ${seed}`).toEqual([])
  report(context, {
    done: 'power loss at a random moment, unsynced writes lost, torn or kept at random',
    times: POWER_LOSSES,
    result: `no promise of ${GROUPS} groups broken (seed ${seed})`,
  })
})

it.for(['NORMAL', 'OFF'])(
  'a store that syncs less (synchronous = %s) is found out',
  async (less, context) => {
    const root = copyOfServer()
    const source = join(root, 'src/store/sqlite/file.ts')
    const right = readFileSync(source, 'utf8')
    const weaker = right.replace('synchronous = FULL', `synchronous = ${less}`)
    expect(weaker).not.toBe(right)
    writeFileSync(source, weaker)
    const broken = await losePower(workOnDisk(context, root), 20)
    expect(broken).not.toEqual([])
    report(context, {
      done: `the same with a store weakened to synchronous = ${less}`,
      times: 20,
      result: `found out ${broken.length} times`,
    })
  },
)
