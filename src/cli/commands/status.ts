import { join } from 'node:path'
import { lastAnnouncement } from '../../announcement/last-announcement.ts'
import { confirmationCounts } from '../../audience/confirmation-counts.ts'
import { startsOf } from '../../audience/growth.ts'
import { trafficOf } from '../../audience/traffic.ts'
import { look } from '../../checks/check.ts'
import {
  type HealthParts,
  healthChecks,
  heldLetters,
  slowHealthChecks,
} from '../../checks/health.ts'
import { features } from '../../features/all.ts'
import product from '../../product/product.ts'
import { healthNote } from '../../report/makers/health.ts'
import { reportOfStatus, type StatusFound } from '../../report/makers/status.ts'
import { type Telling, tell } from '../../report/tell.ts'
import { inDataFolder } from '../../shared/data-folder.ts'
import type { Product } from '../../shared/product.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { inStatusOf } from '../features.ts'
import { runWithStore, setting } from '../run.ts'

const DAYS = 30

export interface StatusOptions
  extends Telling,
    Pick<StatusFound, 'features'>,
    Omit<HealthParts, 'store'> {
  readonly product: Pick<Product, 'name' | 'retain' | 'opensAt'>
}

/** `status`: growth of the list, the state of the last announcement, and what to look at. */
export async function status(store: HealthParts['store'], options: StatusOptions, out: Out) {
  const now = new Date()
  const days = startsOf('day', now, DAYS)
  const last = await lastAnnouncement(store)
  const on = { ...options, store }
  const health = [
    ...(await heldLetters.probe(on)),
    ...(await look(healthChecks, on)),
    ...(await look(slowHealthChecks, on)),
  ]
  const report = reportOfStatus({
    ...options,
    ...{ now, days, last, growth: await store.growth.since(days[0] ?? now) },
    traffic: await trafficOf(store.visits, days),
    asked: await confirmationCounts(store),
    opening: await store.opening.get(),
    health: health.map(healthNote),
  })
  await tell(report, options, out)
  return exitCodes.done
}

export const fromCommandLine = (options: Telling) =>
  runWithStore({ looks: true }, async (store, out, { backups, linkKey, collecting, dataDir }) => {
    const given = {
      ...options,
      ...{ product, backups, collecting, dataDir },
      place: join(dataDir, inDataFolder.list),
      isAsking: setting('CONFIRM'),
      features: await inStatusOf(features, { store, linkKey, dataDir }),
    }
    return status(store, given, out)
  })
