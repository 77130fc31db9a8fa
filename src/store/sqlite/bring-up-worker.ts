import { parentPort, workerData } from 'node:worker_threads'
import { StoreUnavailable } from '../subscriber-store.ts'
import { bringUp } from './bring-up.ts'
import { isOfTheFile } from './outage.ts'

/** What came of it: where the copy is, unless another process was faster; or why it failed. */
export type BroughtUp = { readonly copy: string | undefined } | { readonly failure: string }

// In a thread, so that the server goes on answering.
const { file, appId } = workerData as { file: string; appId: string }
const say = (result: BroughtUp) => parentPort?.postMessage(result)
try {
  say({ copy: await bringUp(file, appId) })
} catch (cause) {
  // A fault of ours ends the thread, which hands it over with its stack.
  if (!(cause instanceof StoreUnavailable || isOfTheFile(cause))) throw cause
  say({ failure: (cause as Error).message })
}
