import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'
import { startProgram } from '../../scripts/program.ts'
import { firestoreRest } from './firestore-rest.ts'

export interface FirestoreEmulator {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly origin: string
  isRunning(): boolean
  /** It takes connections and answers nothing, until `resume`. */
  pause(): Promise<void>
  resume(): boolean
  stop(): Promise<void>
}

const MAIN = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore'
const HOST = '127.0.0.1'
/** Compiling and collecting as for a server would cost three times what the tests do. */
const SHORT_LIVED = ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** Starts Google's Firestore emulator with these rules for every project. */
export async function startFirestoreEmulator(
  jar: string,
  rules: string,
): Promise<FirestoreEmulator> {
  const folder = mkdtempSync(join(tmpdir(), 'opening-bell-firestore-'))
  const rulesFile = join(folder, 'firestore.rules')
  writeFileSync(rulesFile, rules)
  const port = await freePort()
  const options = ['--host', HOST, '--port', `${port}`, '--rules', rulesFile]
  const emulator = startProgram('java', [...SHORT_LIVED, '-cp', jar, MAIN, ...options])
  const stop = async () => {
    await emulator.end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }

  const origin = `http://${HOST}:${port}`
  try {
    await emulator.printed(/is now running/)
    await checkRulesHold(origin)
  } catch (cause) {
    await stop()
    throw new Error('The Firestore emulator did not start', { cause })
  }
  return {
    origin,
    isRunning: emulator.isRunning,
    pause: emulator.pause,
    resume: emulator.resume,
    stop,
  }
}

/** Where an emulator found no rules it allows everything, and would pass many a test. */
async function checkRulesHold(origin: string) {
  const { commit } = firestoreRest(origin, 'demo-rules-hold')
  const status = await commit([{ path: 'forbidden/record', fields: {} }])
  if (status !== 403) throw new Error(`A forbidden write was answered with ${status}`)
}
