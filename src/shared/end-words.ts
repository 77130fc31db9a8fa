import { grouped } from './counted.ts'

/** Why a run ended: `done`, or what stopped it. */
export type EndCode =
  | 'done'
  | 'interrupted'
  | 'failing'
  | 'leaving'
  | 'unready'
  | 'unreachable'
  | 'deferring'
  | 'unusable'

/** Why a run ended, in a sentence. @param stopShare from 0 to 1. */
export function endInWords(
  {
    why,
    answer,
    queued,
  }: { readonly why: EndCode; readonly answer: string; readonly queued: number },
  stopShare: number,
): string {
  const reasons: Readonly<Record<EndCode, string>> = {
    done: queued > 0 ? 'This stage is done.' : 'Done.',
    interrupted: 'Stopped, with everything under way finished.',
    failing: `Stopped: more than ${Number((stopShare * 100).toFixed(2))} % of ${answer ? `this run failed, last with "${answer}"` : 'the last letters failed or bounced'}.`,
    leaving:
      'Stopped: more than 0.3 % of the last people who were told have unsubscribed or complained.',
    unready: 'Stopped: the check of each hour found a problem.',
    unreachable: `Stopped: the mail server failed again and again, last with "${answer}".`,
    deferring: `Stopped: the mail server puts off those who are left${answer && `, last with "${answer}"`}.`,
    unusable: `Stopped: the mail server does not let us send: "${answer}". If that is a limit, go on when it is over: most count the last 24 hours, some the last hour.`,
  }
  return reasons[why]
}

const noLetters = 'the mail server took no letters'

/** Why an announcement stopped by itself, without a mark at its end. */
export const stopWords = {
  failing: 'too many letters failed or bounced',
  leaving: 'too many people unsubscribed or complained',
  unready: 'the check of each hour found a problem',
  unreachable: noLetters,
  deferring: noLetters,
  unusable: noLetters,
} as const

/** The statuses whose counts add up to the eligible. */
export const summands = [
  'sent',
  'failed',
  'uncertain',
  'suppressed',
  'forgotten',
  'queued',
] as const

export interface BalanceFigures {
  readonly eligible: number
  readonly tally: Readonly<Record<(typeof summands)[number] | 'sending', number>>
  readonly holds: boolean
}

/** Whether all recipients are accounted for, in a sentence. */
export function balanceInWords({ eligible, tally, holds }: BalanceFigures): string {
  const parts = summands.filter((status) => tally[status] > 0)
  const total = parts.reduce((all, status) => all + tally[status], 0)
  const sum = parts.map((status) => `${grouped(tally[status])} ${status}`).join(' + ') || '0'
  return holds
    ? `The balance holds: ${grouped(eligible)} = ${sum}`
    : `THE BALANCE DOES NOT HOLD: ${grouped(eligible)} people, but ${sum} make ${grouped(total)}, and ${grouped(tally.sending)} more are being sent. Change nothing, and copy DATA_DIR.`
}
