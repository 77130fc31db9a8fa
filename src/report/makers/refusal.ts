import type { Refusal } from '../../announcement/refusal.ts'
import { counted, grouped } from '../../shared/counted.ts'
import { inWords, type Words } from '../../shared/refused.ts'
import type { Act } from '../../shared/report.ts'
import { say } from '../../shared/say.ts'
import { lettersThatAsk } from '../../store/letters-that-ask.ts'
import { machineOf } from '../../store/run.ts'

/** Why nothing is sent, or nothing more. */
export const refusalInWords = (refusal: Refusal): string => inWords(refusals, refusal)

/** What the operator can do about it. */
export const actForRefusal = (refusal: Refusal): Act | undefined =>
  refusal.code === 'letter-asks'
    ? {
        ...{ code: 'ask-again', words: say('To go on with it') },
        command: `announce ${refusal.option} <letter>`,
      }
    : undefined

const letterName = ({ file }: { readonly file: string }) =>
  say(
    '{file}: its name names the announcement: only a–z, 0–9 and hyphens, 60 at most, such as launch-2. What begins with {words} is taken by letters that ask.',
    { file, words: lettersThatAsk.map(({ name }) => `"${name}"`).join(say(' or ')) },
  )

export const refusals: Words<Refusal> = {
  'nothing-to-retry': () => say('It was sent to nobody yet, so there is nothing to send again.'),
  'letter-asks': ({ id }) =>
    say('"{id}" was sent as a letter that asks. For news, give the letter another name.', { id }),
  'no-such-announcement': ({ id }) => say('There is no announcement "{id}".', { id }),
  'another-runs': ({ host, pid }) =>
    say(
      'A letter is being sent on {machine}, by process {pid}. If that process is dead, this letter can be sent in a minute.',
      { machine: machineOf({ host }), pid },
    ),
  overtaken: () => say('Stopped: another run has begun meanwhile and goes on.'),
  imbalance: ({ eligible, rows }) =>
    say('Nobody got it: it is for {eligible}, but {rows} are in its queue.', {
      eligible: counted(eligible, 'person', 'people'),
      rows: grouped(rows),
    }),
  'letter-name': letterName,
  'letter-name-taken': letterName,
  'letter-unreadable': ({ file, answer, isMissing }) =>
    isMissing
      ? say('There is no file {file}', { file })
      : say('{file}: cannot be read: {answer}', { file, answer }),
  'letter-mistakes': ({ file, mistakes }) =>
    mistakes.map((mistake) => `${file}: ${mistake}`).join('\n'),
}
