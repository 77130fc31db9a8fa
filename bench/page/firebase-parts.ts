import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'
import { type Findings, type Row, single } from '../report.ts'

const APP = "export { FirebaseError, initializeApp, setLogLevel } from 'firebase/app'"
const SIGN_IN = '{ indexedDBLocalPersistence, initializeAuth, signInAnonymously }'
const AUTH = `export ${SIGN_IN} from 'firebase/auth'`
const EXTENSION_AUTH = `export ${SIGN_IN} from 'firebase/auth/web-extension'`
const LITE = "export { doc, getFirestore, serverTimestamp, setDoc } from 'firebase/firestore/lite'"

/** What each part of Firebase's library costs the page, and what it would cost to use another. */
export async function measureFirebaseParts(): Promise<Findings> {
  const parts: Readonly<Record<string, string[]>> = {
    'firebase/app alone': [APP],
    'with firebase/auth, for anonymous users in IndexedDB': [APP, AUTH],
    'not used: the same of firebase/auth/web-extension': [APP, EXTENSION_AUTH],
    'not used: app, auth and firebase/firestore/lite': [APP, AUTH, LITE],
  }
  const rows: Row[] = []
  for (const [what, sources] of Object.entries(parts))
    rows.push({ what, figure: single(await sizeOf(sources.join('\n'))), unit: 'B' })
  return { rows, notes: ['The parts of Firebase are built as the page is, brotli.'] }
}

/** Built as the page is, but for nothing else. */
async function sizeOf(source: string): Promise<number> {
  const built = await build({
    mode: 'firebase',
    logLevel: 'warn',
    plugins: [
      {
        name: 'part',
        resolveId: (id) => (id === 'part' ? '\0part' : undefined),
        load: (id) => (id === '\0part' ? source : undefined),
      },
    ],
    build: {
      write: false,
      rolldownOptions: { input: 'part', preserveEntrySignatures: 'strict' },
    },
  })
  if (!('output' in built)) throw new Error('A part of Firebase was not built.')
  const chunks = built.output.filter((one) => one.type === 'chunk')
  return chunks.reduce((sum, { code }) => sum + brotliCompressSync(code).length, 0)
}
