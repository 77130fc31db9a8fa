import { commandLine } from '../product/command-line.ts'
import { type Kind, sending } from '../queue/sending-round.ts'
import type { Answer, Try, TryEnd } from '../queue/waiting-line.ts'
import type { NoticeMessage } from '../store/notices.ts'
import type { Place, TellOperatorOptions } from './place.ts'

/** Longer than a message can take. */
const LEASE_MS = 180_000
/** A slow place keeps no check of the list waiting for longer, in milliseconds. */
const LATE_MS = 4000

type TakenMessage = NoticeMessage & Try

/** Sends a place its waiting notices. */
export function placeRounds(place: Place, options: TellOperatorOptions) {
  const { store, everyMs, now, log } = options
  const { notices } = store
  const { name, label } = place
  const kind: Kind<TakenMessage> = {
    what: 'Notices',
    to: label,
    atOnce: 1,
    most: 1,
    // What it answers is about itself.
    several: 1,
    async claim() {
      const taken = await notices.claim(name, LEASE_MS, now())
      return { items: taken ? [taken] : [] }
    },
    async send(taken) {
      const answer = await place.send(taken, now())
      return answer.kind === 'failed' ? { ...answer, isAway: !answer.isGone } : answer
    },
    async settle(ended) {
      for (const { item, answer } of ended) {
        const end = await notices.settle(name, item, answer, now())
        const said = lossInWords(label, item, answer, end)
        if (said) log.error(said)
      }
    },
    person: () => name,
    times: { lease: LEASE_MS, look: everyMs, pauses: [everyMs], late: LATE_MS },
  }
  return sending(kind, (said) => log.warn(said), now)
}

function lossInWords(
  label: string,
  { notices }: TakenMessage,
  answer: Answer,
  end: TryEnd | 'gone' | undefined,
): string | undefined {
  const said = answer.kind === 'failed' ? answer.failure : ''
  if (end === 'gone')
    return `${label} takes no notices any more (${said}), and gets none until a test arrives there: ${commandLine('notify --test')}`
  return end === 'over'
    ? `GIVEN UP: ${notices.length} of the notices for ${label} did not arrive in three days (${said}).`
    : undefined
}
