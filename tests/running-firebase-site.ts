import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BackendConfig } from '../src/shared/api.ts'
import { subscribersPath } from '../src/shared/subscriber.ts'
import { startAuthEmulator } from './emulators/auth-emulator.ts'
import { startFirestoreEmulator } from './emulators/firestore-emulator.ts'
import { firestoreRest } from './emulators/firestore-rest.ts'
import type { Emulators } from './emulators/google-hosts.ts'
import { startHosting } from './emulators/hosting.ts'

export type RunningFirebaseSite = Awaited<ReturnType<typeof startFirebaseSite>>

const NOTHING_ALLOWED =
  'service cloud.firestore { match /{document=**} { allow read, write: if false; } }'

/**
 * Starts a site as Firebase would run it: what `npm run build:firebase` wrote is served, and the two
 * emulators stand for Google.
 *
 * @param folder what the build wrote. @param jar of the Firestore emulator.
 */
export async function startFirebaseSite(folder: string, jar: string) {
  const rules = readFileSync(join(folder, 'firestore.rules'), 'utf8')
  const { appId, firebase } = JSON.parse(
    readFileSync(join(folder, 'public/config.json'), 'utf8'),
  ) as Extract<BackendConfig, { mode: 'firebase' }>
  const project = String(firebase.projectId)
  const hosting = await startHosting(folder)
  const auth = await startAuthEmulator(project)
  let firestore = await startFirestoreEmulator(jar, rules)
  const rest = () => firestoreRest(firestore.origin, project)
  const records = () => rest().list(subscribersPath(appId).slice(1))

  const site = {
    url: hosting.url,
    auth,
    records,

    /** Where requests for Google go. */
    emulators: (): Emulators => ({ auth: auth.origin, firestore: firestore.origin }),

    /** Ends Firestore, with all that is in it. */
    kill: () => firestore.stop(),
    async restart() {
      firestore = await startFirestoreEmulator(jar, rules)
    },

    /** Firestore takes connections and answers nothing, until `resume`. */
    pause: () => firestore.pause(),
    resume: () => firestore.resume(),

    /** As in a project whose rules nobody deployed, until `reset`. */
    denyEverything: () => rest().setRules(NOTHING_ALLOWED),

    /** The addresses that are kept, each once, however many records it has. */
    async subscribers() {
      const emails = (await records()).map(({ fields }) => String(fields.email?.stringValue))
      return [...new Set(emails)]
    },

    /** Makes it whole, with no records and no users. */
    async reset() {
      firestore.resume()
      if (!firestore.isRunning()) await site.restart()
      await rest().setRules(rules)
      await rest().clear()
      await auth.clear()
    },

    async stop() {
      await Promise.all([hosting.stop(), auth.stop(), firestore.stop()])
    },
  }
  return site
}
