import { parentPort, workerData } from 'node:worker_threads'
import { bringUp } from './bring-up.ts'

/** In a thread, so that the server goes on answering; says what came of it. */
const { file, appId } = workerData as { file: string; appId: string }
try {
  parentPort?.postMessage({ copy: await bringUp(file, appId) })
} catch (cause) {
  parentPort?.postMessage({ failure: (cause as Error).message })
}
