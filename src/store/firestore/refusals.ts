import type { Refusals } from '../refusal.ts'
import type { Standings } from '../standing.ts'
import { StoreUnavailable } from '../subscriber-store.ts'

/** Keeps no refusals here: only who is gone is booked, at once, and nothing is taken back. */
export function firestoreRefusals(standings: Pick<Standings, 'set'>): Refusals {
  return {
    async hear(heard) {
      const gone = heard.filter(({ refusal }) => refusal === 'gone')
      const are = await standings.set(gone.map((one) => ({ ...one, standing: 'bounced' })))
      return heard.map((one) => are[gone.indexOf(one)] ?? false)
    },
    many: async () => [],
    async lift() {
      throw new StoreUnavailable('A bounce can be taken back only with STORE=sqlite.')
    },
  }
}
