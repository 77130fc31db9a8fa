import type { DeliveryLedger } from './delivery-ledger.ts'
import type { RestoreTarget } from './restore-target.ts'
import type { RunLock } from './run-lock.ts'
import type { SubscriberList } from './subscriber-list.ts'
import type { SubscriberStore } from './subscriber-store.ts'
import type { SuppressionList } from './suppression-list.ts'

/**
 * All that is kept, in one place: the port that server and operator know; `open-store.ts` picks the
 * adapter. An adapter is given `AddressIds` and refuses to open what was kept with another key.
 */
export interface Store
  extends SubscriberStore,
    SubscriberList,
    SuppressionList,
    DeliveryLedger,
    RunLock,
    RestoreTarget {}
