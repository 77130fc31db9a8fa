import { isDeepStrictEqual } from 'node:util'
import type { Recipient } from '../../mail/letter/message.ts'
import type { Announcement } from '../../store/delivery-ledger.ts'
import type { Store } from '../../store/store.ts'
import type { KeptWaves } from '../../store/waves.ts'
import { prospects } from '../outlook.ts'
import type { RecipientSelection } from '../recipient-selection.ts'
import type { LetterFor } from '../sending/send.ts'
import type { StageCounts } from '../tell-everyone.ts'
import { countsOf } from './breach.ts'
import { type GmailRoom, gmailRoom, isFarBelow, isGmail, untilGmailIsFull } from './gmail.ts'
import { nextWave, nextWaveAt, triedOf, type WavePlan, wavesInWords } from './wave-plan.ts'
import type { Ready } from './waves-options.ts'

export interface WaveStageOptions extends Ready {
  readonly store: Store
  readonly owner: string
  readonly selection: RecipientSelection
  readonly plan: WavePlan
  readonly everyMs: number
  /**
   * The stored waves when the wave was found due; another run may have begun or changed it since.
   */
  readonly seen: KeptWaves | undefined
  /** The same as the operator wants them from now on. */
  readonly agreed: KeptWaves | undefined
  readonly message: LetterFor
  readonly now: () => Date
}

/**
 * One wave as a part of an announcement, with its state while it is sent. Begins the due wave, or goes
 * on with the one under way, and stores how far it is: before its first message leaves, and after its
 * last.
 */
export function waveStage(options: WaveStageOptions) {
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

  async function next(counts: StageCounts): Promise<KeptWaves> {
    const { tally, all, passedOver } = counts
    const tried = triedOf(counts)
    const after = agreed?.number ?? 0
    const { number, target, isLast } = nextWave(plan, after, tried, all, passedOver)
    return {
      waves: wavesInWords(plan),
      everyMs,
      number,
      target,
      isLast,
      size: Math.max(0, Math.min(target, all - passedOver) - tried),
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
    /** The wave as it is stored, once it has begun. */
    get kept() {
      return kept
    },
    /** When more of it may go to Gmail, if that limit cut it short. */
    get heldUntil() {
      return heldUntil
    },

    async begin(announcement: Announcement, counts: StageCounts): Promise<number> {
      if (!isDeepStrictEqual(announcement.waves, seen)) return 0
      const { all, taken } = counts
      if (agreed && !agreed.endedAt) await keep({ ...agreed, ...(sawOpen && { sawOpen }) })
      else if (agreed && all <= taken) {
        // Everybody is told, and nobody came since, so it was the last wave, in spite of its plan.
        if (!agreed.isLast) await keep({ ...agreed, isLast: true })
        return 0
      } else await keep(await next(counts))
      const untried = Math.max(0, targetOf(kept, all) - triedOf(counts))
      return mostToGmail === undefined ? untried : within(mostToGmail, untried)
    },

    async end(counts: StageCounts) {
      if (!kept || kept.endedAt) return
      const { taken, all } = counts
      if (taken < all && triedOf(counts) < targetOf(kept, all)) {
        heldUntil ??= new Date(now().getTime() + 1000)
        return
      }
      const endedAt = now()
      const nextAt = nextWaveAt(kept.begunAt, endedAt, everyMs)
      await keep({ ...kept, endedAt, nextAt, isLast: taken >= all })
    },

    // Checked for each letter, since the ledger may give its rows in any order.
    message(recipient: Recipient): ReturnType<LetterFor> {
      if (!gmail || !isGmail(recipient.email)) return options.message(recipient)
      if (sentToGmail < gmail.room) {
        sentToGmail += 1
        return options.message(recipient)
      }
      const dueAt = new Date(Math.max(gmail.freeAt.getTime(), now().getTime() + 60_000))
      return Promise.resolve({
        dueAt,
        answer: 'held back: no more letters to Gmail in these 24 hours',
      })
    },
  }
}

/** The last wave tells everybody, with those who were released from a quarantine meanwhile. */
function targetOf(kept: KeptWaves | undefined, all: number): number {
  return !kept || kept.isLast ? all : Math.min(kept.target, all)
}
