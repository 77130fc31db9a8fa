import { Gauge } from '@prometheus-io/client'
import type { Mailer } from '../../mail/mailer.ts'
import { readSeldom } from '../../shared/read-seldom.ts'
import type { Backups } from '../../store/backups.ts'
import type { Store } from '../../store/store.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { type Metrics, PREFIX } from './metrics.ts'

export interface WatchOptions {
  readonly store: Store
  readonly backups: Backups | undefined
  /** Whether visitors are asked to confirm. */
  readonly confirms: boolean
  /** Whether reads cost money: then the store is not read for metrics alone. */
  readonly isPaidFor: boolean
}

const PAID_LOOK_EVERY_MS = 300_000

/**
 * Measures the store when the metrics are read.
 *
 * @returns the store, whose sign-ups are counted from now on.
 */
export function watchStore(metrics: Metrics, options: WatchOptions): Store {
  const { store, backups, confirms, isPaidFor } = options
  const { registry } = metrics
  let isUsable = 1
  const gauge = (name: string, help: string, look: () => Promise<number | undefined>) =>
    new Gauge({
      name: PREFIX + name,
      help,
      registers: [registry],
      async collect() {
        const value = await look().catch(() => undefined)
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })

  gauge('store_usable', 'Whether a sign-up can be stored now: 1 or 0.', async () => {
    // On Firestore, the outcome of the last sign-up tells it.
    if (!isPaidFor)
      isUsable = await store.checkWritable().then(
        () => 1,
        () => 0,
      )
    return isUsable
  })
  if (confirms)
    gauge(
      'outbox_waiting',
      'Confirmation letters that have yet to leave.',
      readSeldom(
        async () => (await store.outbox.counts()).waiting,
        isPaidFor ? PAID_LOOK_EVERY_MS : 0,
      ),
    )
  if (backups) {
    const seconds = (time: Date | null | undefined) => time && Math.floor(time.getTime() / 1000)
    gauge('backup_last_timestamp_seconds', 'When the last back-up was written.', async () => {
      return seconds(await backups.last()) ?? undefined
    })
    gauge(
      'rehearsal_last_good_timestamp_seconds',
      'When a back-up was last restored as a test, and everything came back as it was.',
      async () => seconds((await backups.rehearsals()).lastGood?.at) ?? undefined,
    )
    gauge(
      'rehearsal_failed',
      'Whether the last tested back-up could not be restored: 1 or 0.',
      async () => {
        const { last } = await backups.rehearsals()
        return last && (last.fault === undefined ? 0 : 1)
      },
    )
  }

  /** Counts the outcome of a sign-up, and passes it on. */
  async function watched<T>(kept: Promise<T>, suspicion: string | undefined): Promise<T> {
    const hasSigns = suspicion !== undefined
    try {
      const result = await kept
      isUsable = 1
      metrics.signedUp('kept', hasSigns)
      return result
    } catch (cause) {
      const isAway = cause instanceof StoreUnavailable
      if (isAway) isUsable = 0
      metrics.signedUp(isAway ? 'unavailable' : 'fault', hasSigns)
      throw cause
    }
  }
  return {
    ...store,
    list: {
      ...store.list,
      add: (email, notes) => watched(store.list.add(email, notes), notes?.suspicion),
    },
    outbox: {
      ...store.outbox,
      requestConfirmation: (email, asked) =>
        watched(store.outbox.requestConfirmation(email, asked), asked.suspicion),
    },
  }
}

/** The same mailer, whose letters are counted. */
export function watchMailer(metrics: Metrics, mailer: Mailer): Mailer {
  return {
    ...mailer,
    async send(message) {
      try {
        const outcome = await mailer.send(message)
        metrics.letterSent(outcome.kind)
        return outcome
      } catch (cause) {
        metrics.letterSent('unusable')
        throw cause
      }
    },
  }
}
