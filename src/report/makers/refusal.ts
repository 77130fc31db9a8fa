import type { Refusal } from '../../announcement/refusal.ts'
import { counted, grouped } from '../../shared/counted.ts'
import { inWords, type Words } from '../../shared/refused.ts'
import type { Act } from '../../shared/report.ts'
import { lettersThatAsk } from '../../store/letters-that-ask.ts'
import { machineOf } from '../../store/run.ts'

/** Why nothing is sent, or nothing more. */
export const refusalInWords = (refusal: Refusal): string => inWords(refusals, refusal)

/** What the operator can do about it. */
export const actForRefusal = (refusal: Refusal): Act | undefined =>
  refusal.code === 'letter-asks'
    ? {
        ...{ code: 'ask-again', words: 'To go on with it' },
        command: `announce ${refusal.option} <letter>`,
      }
    : undefined

const letterName = ({ file }: { readonly file: string }) =>
  `${file}: its name names the announcement: only a–z, 0–9 and hyphens, 60 at most, such as launch-2. What begins with ${lettersThatAsk.map(({ name }) => `"${name}"`).join(' or ')} is taken by letters that ask.`

export const refusals: Words<Refusal> = {
  'nothing-to-retry': () => 'It was sent to nobody yet, so there is nothing to send again.',
  'letter-asks': ({ id }) =>
    `"${id}" was sent as a letter that asks. For news, give the letter another name.`,
  'no-such-announcement': ({ id }) => `There is no announcement "${id}".`,
  'another-runs': ({ host, pid }) =>
    `A letter is being sent on ${machineOf({ host })}, by process ${pid}. If that process is dead, this letter can be sent in a minute.`,
  overtaken: () => 'Stopped: another run has begun meanwhile and goes on.',
  imbalance: ({ eligible, rows }) =>
    `Nobody got it: it is for ${counted(eligible, 'person', 'people')}, but ${grouped(rows)} are in its queue.`,
  'letter-name': letterName,
  'letter-name-taken': letterName,
  'letter-unreadable': ({ file, answer, isMissing }) =>
    isMissing ? `There is no file ${file}` : `${file}: cannot be read: ${answer}`,
  'letter-mistakes': ({ file, mistakes }) =>
    mistakes.map((mistake) => `${file}: ${mistake}`).join('\n'),
}
