import type { Delivery, DeliveryStatus } from '../store/delivery-ledger.ts'
import type { DeliveryLedger } from '../store/store.ts'

/**
 * Recipients who get the letter only by an action of the operator.
 *
 * @param also those of these, too. @throws StoreUnavailable
 */
export async function unsent(
  ledger: Pick<DeliveryLedger, 'deliveries'>,
  id: string,
  most: number,
  also: readonly DeliveryStatus[] = [],
): Promise<Delivery[]> {
  const rows: Delivery[] = []
  for (const status of ['failed', 'uncertain', 'suppressed', 'forgotten', ...also] as const)
    for await (const row of ledger.deliveries(id, status)) {
      if (rows.length === most) return rows
      rows.push(row)
    }
  return rows
}
