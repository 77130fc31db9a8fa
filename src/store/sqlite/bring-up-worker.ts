import { parentPort, workerData } from 'node:worker_threads'
import { StoreUnavailable } from '../subscriber-store.ts'
import { bringUp } from './bring-up.ts'
import { isOfTheFile } from './outage.ts'

/** The result: the path of the copy, unless another process was faster; or why it failed. */
export type BroughtUp = { readonly copy: string | undefined } | { readonly failure: string }

// In a thread, so that the server keeps answering.
const { file, appId } = workerData as { file: string; appId: string }
const say = (result: BroughtUp) => parentPort?.postMessage(result)
try {
  say({ copy: await bringUp(file, appId) })
} catch (cause) {
  // A fault of ours ends the thread, which reports it with its stack.
  if (!(cause instanceof StoreUnavailable || isOfTheFile(cause))) throw cause
  say({ failure: (cause as Error).message })
}
