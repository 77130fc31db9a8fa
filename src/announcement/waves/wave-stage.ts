import { isDeepStrictEqual } from 'node:util'
import type { Store } from '../../store/store.ts'
import type { KeptWaves } from '../../store/waves.ts'
import { prospects } from '../outlook.ts'
import type { RecipientSelection } from '../recipient-selection.ts'
import type { LetterFor } from '../sending/prepared.ts'
import type { Stage, StageCounts } from '../tell-everyone.ts'
import { countsOf } from './breach.ts'
import { type GmailRoom, gmailRoom, isFarBelow, isGmail, untilGmailIsFull } from './gmail.ts'
import { nextWave, nextWaveAt, type WavePlan, wavesInWords } from './wave-plan.ts'
import type { Ready } from './waves-options.ts'

export interface WaveStageOptions extends Ready {
  readonly store: Store
  readonly owner: string
  readonly selection: RecipientSelection
  readonly plan: WavePlan
  readonly everyMs: number
  /** What was kept when it was decided that a wave is due: another run may have begun it since, or changed it. */
  readonly seen: KeptWaves | undefined
  /** The same as the operator wants it from now on. */
  readonly agreed: KeptWaves | undefined
  readonly message: LetterFor
  readonly now: () => Date
}

/** One wave as a part of an announcement, and what is known of it while it is sent. */
export interface WaveStage extends Stage {
  readonly message: LetterFor
  /** What is kept of the wave, once it has begun. */
  readonly kept: KeptWaves | undefined
  /** When more of it may go to Gmail, where that is why it is not whole. */
  readonly heldUntil: Date | undefined
}

/**
 * Begins the wave that is due, or goes on with the one that was begun, and keeps in the store how far
 * it is: before the first message of it leaves, and after the last.
 */
export function waveStage(options: WaveStageOptions): WaveStage {
  const { store, owner, selection, plan, everyMs, seen, agreed, mostToGmail, now } = options
  const sawOpen = options.isOpen || agreed?.sawOpen
  const { id } = selection
  let kept: KeptWaves | undefined
  let heldUntil: Date | undefined
  let gmail: GmailRoom | undefined
  let sentToGmail = 0

  async function keep(waves: KeptWaves) {
    await store.ledger.keepWaves(owner, id, waves)
    kept = waves
  }

  async function next({ tally, all, taken }: StageCounts): Promise<KeptWaves> {
    const { number, target, isLast } = nextWave(plan, agreed?.number ?? 0, taken, all)
    return {
      waves: wavesInWords(plan),
      everyMs,
      number,
      target,
      isLast,
      size: Math.max(0, target - taken),
      begunAt: now(),
      before: countsOf(tally, await store.ledger.departed(id)),
      ...(sawOpen && { sawOpen }),
    }
  }

  /** How many of these may go now. */
  async function within(limit: number, untried: number): Promise<number> {
    if (await isFarBelow(store.ledger, untried, limit)) return untried
    gmail = await gmailRoom(store.ledger, now(), limit)
    const people = prospects(store, { ...selection, includeNew: false })
    const may = await untilGmailIsFull(people, untried, gmail.room)
    if (may < untried) heldUntil = gmail.freeAt
    return may
  }

  return {
    get kept() {
      return kept
    },
    get heldUntil() {
      return heldUntil
    },

    async begin(announcement, counts) {
      if (!isDeepStrictEqual(announcement.waves, seen)) return 0
      const { all, taken } = counts
      if (agreed && !agreed.endedAt) await keep({ ...agreed, ...(sawOpen && { sawOpen }) })
      else if (agreed && all <= taken) {
        // Everybody is told, and nobody came since: it was the last one, whoever was to follow.
        if (!agreed.isLast) await keep({ ...agreed, isLast: true })
        return 0
      } else await keep(await next(counts))
      const untried = Math.max(0, targetOf(kept, all) - taken)
      return mostToGmail === undefined ? untried : within(mostToGmail, untried)
    },

    async end({ taken, all }) {
      if (!kept || kept.endedAt) return
      if (taken < targetOf(kept, all)) {
        heldUntil ??= new Date(now().getTime() + 1000)
        return
      }
      const endedAt = now()
      const nextAt = nextWaveAt(kept.begunAt, endedAt, everyMs)
      await keep({ ...kept, endedAt, nextAt, isLast: taken >= all })
    },

    // Whatever order the ledger gives its rows in, none too many leaves.
    message(recipient) {
      if (!gmail || !isGmail(recipient.email)) return options.message(recipient)
      if (sentToGmail < gmail.room) {
        sentToGmail += 1
        return options.message(recipient)
      }
      const dueAt = new Date(Math.max(gmail.freeAt.getTime(), now().getTime() + 60_000))
      return Promise.resolve({ dueAt, answer: 'held back: enough for Gmail in 24 hours' })
    },
  }
}

/** Of the last one nobody is left over, whoever was released from a quarantine meanwhile. */
function targetOf(kept: KeptWaves | undefined, all: number): number {
  return !kept || kept.isLast ? all : Math.min(kept.target, all)
}
