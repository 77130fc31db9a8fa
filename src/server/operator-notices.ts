import type { FastifyBaseLogger } from 'fastify'
import { heardNothing } from '../audience/heard-nothing.ts'
import type { NotifySettings } from '../config/programs.ts'
import type { TellOperatorOptions } from '../notices/place.ts'
import { placesOf } from '../notices/places.ts'
import { tellOperator } from '../notices/tell-operator.ts'
import { listRetention } from '../opening/list-retention.ts'
import { asService } from '../product/command-line.ts'
import product from '../product/product.ts'
import { begun, type Running } from '../queue/sending-round.ts'
import { backupState } from '../store/backup-state.ts'
import type { Backups, Store } from '../store/store.ts'

/**
 * Tells the operator of milestones, days and alarms, until it is closed.
 *
 * @param everyMs how often it looks for due notices, in milliseconds.
 */
export function tellOfList(
  store: TellOperatorOptions['store'] & Pick<Store, 'opening' | 'growth'>,
  backups: Backups,
  settings: NotifySettings,
  linkKey: Buffer,
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>,
  everyMs: number,
): Promise<Running> {
  return begun(
    tellOperator({
      ...settings,
      ...{ store, everyMs, log },
      appId: product.appId,
      now: () => new Date(),
      places: placesOf(settings, product, linkKey),
      backups: {
        state: (now) => backupState(backups, now),
        isService: Boolean(asService()),
      },
      overdue: product.retain
        ? async (now) => (await listRetention(store, product.retain, now))?.people
        : undefined,
      silence: (now) => heardNothing(store, now),
    }),
  )
}
