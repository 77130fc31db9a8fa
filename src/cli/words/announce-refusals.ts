import type { Refusal } from '../../announcement/refusal.ts'
import type { KeyProblem } from '../../shared/found.ts'
import { keyProblemInWords } from '../../shared/found-words.ts'
import type { Words } from '../../shared/refused.ts'
import { ASK } from '../../store/delivery-ledger.ts'
import { anew } from '../announce/finding-words.ts'

const ofTheKey = (why: KeyProblem) => keyProblemInWords(why) + anew(why.code)

/** Why nothing is sent, or no more. */
export const announceRefusals: Words<Refusal> = {
  'nothing-to-retry': ({ id }) =>
    id === ASK
      ? 'Nobody was asked yet, so there is nothing to retry.'
      : `There is no announcement "${id}" yet, so there is nothing to retry.`,
  'no-such-announcement': ({ id }) => `--also-who-got: there is no announcement "${id}"`,
  'other-plan': ({ id, waves, every, isAsked }) => {
    const plan = `--waves ${waves} --every ${every}`
    return isAsked
      ? `"${id}" goes out by another plan: ${plan}. Repeat that to go on, or add --change-plan to tell the rest by the new one.`
      : `"${id}" goes out in waves, and not everybody is told. To go on: ${plan}. To tell the rest at once: --change-plan.`
  },
  'no-waves-any-more': ({ id }) => `"${id}" no longer goes out in waves.`,
  'another-runs': ({ host, pid }) =>
    `An announcement is running on ${host} as process ${pid}. If it is dead, its lock runs out within a minute.`,
  overtaken: () => 'Stopped: another run has begun meanwhile and goes on.',
  'other-key-since': () =>
    'Stopped: invitations got a new key after this began, and codes of the old key are void. The same command goes on with the new key.',
  imbalance: ({ eligible, rows }) =>
    `Nobody was mailed: ${eligible} subscribers are to be told, but ${rows} have a row.`,
  'letter-name': ({ file }) =>
    `${file}: its name is the name of the announcement, and may have only small letters, digits and hyphens`,
  'letter-name-taken': ({ file }) =>
    `${file}: its name is the name of the announcement, and "${ASK}" is taken: the command ask sends that`,
  'letter-unreadable': ({ file, answer }) => `${file}: cannot be read: ${answer}`,
  'letter-mistakes': ({ file, mistakes }) =>
    mistakes.map((mistake) => `${file}: ${mistake}`).join('\n'),
  'key-gone': ofTheKey,
  'key-other': ofTheKey,
  'key-there': ofTheKey,
  'key-in-use': ofTheKey,
  'key-not-set': ofTheKey,
  'key-unusable': ofTheKey,
}
