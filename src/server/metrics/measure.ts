import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Mailer } from '../../mail/mailer.ts'
import type { OpenedStore, StoreKind } from '../../store/open-store.ts'
import { listenForMetrics } from './listen.ts'
import { createMetrics } from './metrics.ts'
import { watchMailer, watchStore } from './watched.ts'

/** Everything to measure a server; loaded only when metrics are on. */
export function measuring() {
  const metrics = createMetrics()
  let server: Server | undefined
  return {
    metrics,
    /** @returns the store, whose sign-ups are counted from now on. */
    watch: ({ store, backups }: OpenedStore, kind: StoreKind, confirms: boolean) =>
      watchStore(metrics, { store, backups, confirms, isPaidFor: kind === 'firestore' }),
    watchMailer: (mailer: Mailer) => watchMailer(metrics, mailer),
    /** @returns the port. @throws what `listen` does. */
    async listen(place: { port: number; host: string }): Promise<number> {
      server = await listenForMetrics(metrics.registry, place)
      return (server.address() as AddressInfo).port
    },
    close() {
      server?.close()
      server?.closeAllConnections()
    },
  }
}
