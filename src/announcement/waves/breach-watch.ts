import type { DeliveryLedger } from '../../store/delivery-ledger.ts'
import type { KeptWaves, WaveCounts } from '../../store/waves.ts'
import { isOver } from './agreed.ts'
import { type Breach, breachOf, countsOf, type WaveLimits } from './breach.ts'
import { LOOK_EVERY_MS } from './waiting.ts'
import type { WaveStage } from './wave-stage.ts'

type Counted = Pick<DeliveryLedger, 'tally' | 'departed'>

/** The counts of an announcement by now. @throws StoreUnavailable */
export async function countsNow(store: Counted, id: string): Promise<WaveCounts> {
  return countsOf(await store.tally(id), await store.departed(id))
}

/** Whether too many failed or left in a wave by now. @throws StoreUnavailable */
export async function breachIn(
  store: Counted,
  id: string,
  kept: KeptWaves | undefined,
  limits: WaveLimits,
): Promise<Breach | undefined> {
  return kept && !isOver(kept) ? breachOf(kept, await countsNow(store, id), limits) : undefined
}

/** Stops a wave that is being sent when too many leave meanwhile. */
export function watchOver(
  stage: WaveStage,
  look: (kept: KeptWaves | undefined) => Promise<Breach | undefined>,
) {
  const stop = new AbortController()
  const timer = setInterval(() => {
    // The run itself waits for a store that is away.
    look(stage.kept).then(
      (breach) => breach && stop.abort(),
      () => {},
    )
  }, LOOK_EVERY_MS)
  return { signal: stop.signal, end: () => clearInterval(timer) }
}
