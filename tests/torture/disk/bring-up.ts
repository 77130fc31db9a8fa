/**
 * Run as a process on the disk of `disk.c`: puts an old file there, and brings it up. Arguments: the
 * old file, the folder on the disk.
 */
import { fsyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { bringUp } from '../../../src/store/sqlite/bring-up.ts'

const [old = '', folder = ''] = process.argv.slice(2)
const file = join(folder, 'subscribers.sqlite')
writeFileSync(file, readFileSync(old))
// As a server leaves it.
const db = new DatabaseSync(file)
db.exec('PRAGMA journal_mode = WAL')
db.close()
for (const path of [file, folder]) fsyncSync(openSync(path, 'r'))
writeSync(openSync(join(folder, 'promises'), 'a'), 'begun\n')
await bringUp(file, 'test')
