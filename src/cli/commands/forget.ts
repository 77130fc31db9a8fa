import type { Standings } from '../../store/store.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { stopSignal } from '../../terminal/stop-signal.ts'
import { counted } from '../../terminal/words.ts'
import type { CopiesLeft } from '../../upkeep/back-up/copies-left.ts'
import { copiesLeft } from '../../upkeep/back-up/copies-left.ts'
import { type CommandStore, runWithStore, setting } from '../run.ts'
import { copiesLeftInWords } from '../words/back-ups.ts'
import { type ForgetManyOptions, forgetMany } from './forget-many.ts'

export interface ForgetOptions {
  readonly email: string
  readonly json?: boolean
  /** What is known of earlier copies. */
  readonly copies?: (() => Promise<CopiesLeft>) | undefined
}

/**
 * `forget`: erases an address, and keeps only its keyed hash so that an import cannot add it again.
 */
export async function forget(
  standings: Standings,
  { email, json, copies }: ForgetOptions,
  out: Out,
) {
  const forgotten = await standings.forget(readEmail(email))
  const left = await copies?.()
  if (json) {
    await out.json({ ...forgotten, ...(left && { copies: left }) })
    return exitCodes.done
  }
  const { wasSubscriber, wasAsked, deliveries } = forgotten
  if (wasSubscriber) await out.write('The subscriber is forgotten.\n')
  else if (wasAsked) await out.write('Their request, which they had yet to confirm, is erased.\n')
  else await out.write('No such subscriber. From now on, no import adds the address.\n')
  if (deliveries > 0)
    await out.write(`The address was erased from ${counted(deliveries, 'announcement')}.\n`)
  if (!wasSubscriber && !wasAsked && deliveries === 0)
    out.say('If the address was on the list once, back-ups and exports from then have it.')
  else if (left) for (const line of copiesLeftInWords(left, 'the address')) out.say(line)
  else out.say('Earlier back-ups and exports may still have the address.')
  return exitCodes.done
}

interface ForgetArguments extends Omit<ForgetManyOptions, 'signal' | 'copies'> {
  readonly everybody?: boolean
}

export async function fromCommandLine(
  { json, ...many }: ForgetArguments,
  email: string | undefined,
): Promise<void> {
  if (email !== undefined && Object.keys(many).length > 0)
    throw new Misuse('Name one address, or describe many, but not both.')
  await runWithStore({ takesIn: 'may' }, async (store, out, opened) => {
    const common = { copies: copiesOf(opened), ...(json !== undefined && { json }) }
    if (email !== undefined) return forget(store.standings, { ...common, email }, out)
    const given = { ...many, ...common, signal: stopSignal(process, console.error) }
    if (!many.everybody) return forgetMany(store, given, out)
    const { forgetEverybody } = await import('./forget-everybody.ts')
    return forgetEverybody(store, given, out)
  })
}

/** What is known of earlier copies. */
function copiesOf({ backups, dataDir }: CommandStore) {
  const to = setting('BACKUP_TO') ?? undefined
  return () => copiesLeft(backups, dataDir, to, new Date())
}
