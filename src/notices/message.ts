import type { Answer } from '../queue/line.ts'
import type { Notice, NoticeMessage } from '../store/notices.ts'

/*
 * A place may refuse a message for what others wrote in it, such as the name of a source, or an
 * address. Its later tries leave that out, so that no stranger stops the notices that come after it.
 */

/** The tries that have it: the third one comes after five minutes. */
const TRIES_WITH = 2

const fields = ['sources', 'answer', 'addresses']

const isTheirs = ([name, value]: [string, unknown]) =>
  fields.includes(name) && (Array.isArray(value) || typeof value === 'string') && value.length > 0
const isLeftOut = ([name, value]: [string, unknown]) =>
  isTheirs([name, value]) || name === 'moreAddresses'

const hasTheirs = ({ data }: Notice) => Object.entries(data).some(isTheirs)

/** @param tries how many failed. @returns the message as it is sent then. */
export function asSentAfter(tries: number, message: NoticeMessage): NoticeMessage {
  if (tries < TRIES_WITH) return message
  const without = (notice: Notice) => {
    if (!hasTheirs(notice)) return notice
    const ours = Object.entries(notice.data).filter((field) => !isLeftOut(field))
    return { ...notice, data: { ...Object.fromEntries(ours), isShortened: true } }
  }
  return { ...message, notices: message.notices.map(without) }
}

/** What an answer means: none that may be for the words of others ends the place, or asks for a wait. */
export function meaningOf(answer: Answer, message: NoticeMessage): Answer {
  if (answer.kind !== 'failed' || !message.notices.some(hasTheirs)) return answer
  return { ...answer, isGone: false, waitMs: undefined }
}
