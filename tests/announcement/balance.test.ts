import { describe, expect, it } from 'vitest'
import { balanceOf, rowsOf } from '../../src/announcement/balance.ts'
import { deliveryStatuses, noTally, type Tally } from '../../src/store/delivery-ledger.ts'

const tally = (counts: Partial<Tally>) => ({ ...noTally(), ...counts })
const of = (eligible: number | undefined, counts: Partial<Tally>) =>
  balanceOf({ eligible, tally: tally(counts) })

describe('the balance of an announcement', () => {
  it('holds when everybody who was to be told has a row, whatever became of it', () => {
    for (const status of deliveryStatuses.filter((status) => status !== 'sending'))
      expect(of(2, { sent: 1, [status]: status === 'sent' ? 2 : 1 }), status).toMatchObject({
        holds: true,
        rows: 2,
        eligible: 2,
      })
  })

  it('does not hold while one is being sent', () => {
    expect(of(3, { sent: 2, sending: 1 })).toMatchObject({ holds: false, rows: 3 })
  })

  it('does not hold with a row too few or too many', () => {
    expect(of(3, { sent: 2 }).holds).toBe(false)
    expect(of(1, { sent: 2 }).holds).toBe(false)
    expect(of(undefined, { sent: 1 })).toMatchObject({ holds: false, eligible: 0 })
  })

  it('does not hold where the rows are not what was counted with each change', () => {
    const [kept, counted] = [tally({ sent: 2 }), tally({ sent: 1, failed: 1 })]
    expect(balanceOf({ eligible: 2, tally: kept }, counted)).toMatchObject({
      holds: false,
      rows: 2,
    })
    expect(balanceOf({ eligible: 2, tally: kept }, kept).holds).toBe(true)
  })

  it('counts a queued row once, whether it was tried or not', () => {
    expect(rowsOf(tally({ queued: 2, untried: 1, sent: 3 }))).toBe(5)
  })
})
