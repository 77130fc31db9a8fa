import type { DatabaseSync } from 'node:sqlite'
import { StoreMismatch } from '../subscriber-store.ts'
import { connectionTo, inTransaction } from './connection.ts'
import { noteIn, putNote } from './notes.ts'
import { makeList, newestVersion, takeSteps, versionOf } from './versions.ts'

/**
 * Makes an opened file ours: sets up an empty one, takes the steps that one of an older release lacks,
 * and refuses any other, which stays as it is.
 *
 * @param log gets a sentence about the file. @throws StoreMismatch
 */
export function makeOurs(
  db: DatabaseSync,
  file: string,
  appId: string,
  log: (message: string) => void,
): void {
  if (isEmpty(db))
    inTransaction(connectionTo(db), () => {
      // Another process may have been faster.
      if (isEmpty(db)) makeList(db, appId)
    })
  refuseOthers(db, file)
  if (versionOf(db) < newestVersion) inTransaction(connectionTo(db), () => takeSteps(db))
  checkProduct(db, file, appId, log)
}

function isEmpty(db: DatabaseSync): boolean {
  return versionOf(db) === 0 && !db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get()
}

/** @throws StoreMismatch for a file of a version that this code does not know, or of another program. */
function refuseOthers(db: DatabaseSync, file: string): void {
  const version = versionOf(db)
  if (version > newestVersion || version < 0)
    throw new StoreMismatch(
      `${file} is of version ${version}, and this program reads version ${newestVersion}: use the program that wrote it`,
    )
  // Before the first release, the numbers were others.
  const ours = db.prepare(
    `SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table' AND name IN ('persons', 'notes')`,
  )
  if (version === 0 || ours.get()?.n !== 2)
    throw new StoreMismatch(`${file} is a database of another program`)
}

/** A list of another product is refused, unless nobody is on it: then it gets this one's appId. */
function checkProduct(
  db: DatabaseSync,
  file: string,
  appId: string,
  log: (message: string) => void,
) {
  const { sql } = connectionTo(db)
  const keptId = () => noteIn(sql, 'appId')
  if (keptId() === appId) return
  const isAdopted = inTransaction(connectionTo(db), () => {
    const kept = keptId()
    if (kept !== appId && isOfSomebody(db))
      throw new StoreMismatch(
        `${file} holds the subscribers of the appId "${kept}", and product.config.ts says "${appId}": put the appId back, or choose another DATA_DIR`,
      )
    putNote(sql, 'appId', appId)
    return kept !== appId
  })
  if (isAdopted) log(`${file}: nobody was on this list, so its appId is "${appId}" now.`)
}

/** Whether the file holds data of people, or a public key that their product may know. */
export function isOfSomebody(db: DatabaseSync): boolean {
  const tables = ['documents', 'persons', 'announcements'].concat(
    "queue WHERE kind = 'events'",
    'codeKeys',
  )
  return tables.some((table) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined)
}
