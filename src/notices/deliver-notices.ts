import { commandLine } from '../product/command-line.ts'
import type { Notice, Notices } from '../store/notices.ts'
import { asSentAfter, meaningOf } from './others-words.ts'
import type { NoticeMessage, People, Place, PlaceAnswer } from './place.ts'
import { afterTurn, nextTurn, type Turn, type TurnEnd } from './turn.ts'

export interface DeliverNoticesOptions {
  readonly store: Pick<Notices, 'changePlace' | 'signedUp'>
  readonly places: readonly Place[]
  /** Identifies this process among all that send from the same store. */
  readonly holder: string
  /** Whether digests have the addresses of those who signed up. */
  readonly areAddressesTold: boolean
  readonly now: () => Date
  /** Logs sentences without addresses and URLs. */
  readonly log: NoticeLog
}

export interface NoticeLog {
  warn(message: string): void
  error(message: string): void
}

/** A digest has at most this many addresses; the others are counted. */
const MOST_ADDRESSES = 50

/** @returns a function that sends each place its waiting notices once. */
export function noticeDelivery(options: DeliverNoticesOptions): () => Promise<void> {
  const { store, places, holder, areAddressesTold, now, log } = options
  const away = new Set<Place>()

  /** Addresses are looked up with each try, so that no message holds a forgotten one. */
  async function messageOf({ id, notices, tries }: Turn): Promise<NoticeMessage> {
    const people = new Map<string, People>()
    if (areAddressesTold)
      for (const notice of notices) {
        const theirs = notice.type === 'day.ended' ? await peopleOf(store, notice) : undefined
        if (theirs) people.set(notice.id, theirs)
      }
    return asSentAfter(tries, { id, notices, people })
  }

  async function tell(place: Place) {
    const turn = await store.changePlace(place.name, (state, waiting) =>
      nextTurn(state, waiting, holder, now()),
    )
    if (!turn) return
    const message = await messageOf(turn)
    const answer = meaningOf(await place.send(message, now()), message)
    const end = await store.changePlace(place.name, (state) =>
      afterTurn(state, turn, answer, holder, now()),
    )
    say(place, turn, answer, end)
  }

  function say(place: Place, turn: Turn, answer: PlaceAnswer, end: TurnEnd | undefined) {
    const said = 'answer' in answer ? answer.answer : ''
    const { label } = place
    if (end === 'arrived') {
      if (away.delete(place)) log.warn(`Notices reach ${label} again.`)
      return
    }
    if (end === 'gone')
      log.error(
        `${label} takes no notices any more (${said}), and gets none until a test arrives there: ${commandLine('notify --test')}`,
      )
    if (end === 'given up')
      log.error(
        `GIVEN UP: ${turn.notices.length} of the notices for ${label} did not arrive in three days (${said}).`,
      )
    if (end === 'again' && !away.has(place)) {
      away.add(place)
      log.warn(`Notices cannot reach ${label}: ${said}. They are kept, and sent again later.`)
    }
  }

  return async () => {
    // A slow place delays no other.
    const told = await Promise.allSettled(places.map(tell))
    const failed = told.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  }
}

/** Who signed up on a day that ended. */
async function peopleOf(
  store: DeliverNoticesOptions['store'],
  { data }: Notice,
): Promise<People | undefined> {
  const { from, to, signUps } = data
  if (typeof from !== 'string' || typeof to !== 'string') return undefined
  const emails = await store.signedUp(new Date(from), new Date(to), MOST_ADDRESSES)
  return { emails, more: Math.max(0, Number(signUps) - emails.length) }
}
