import { removePasskey } from '../../desk/access/passkeys.ts'
import {
  endAllSessions,
  endSession,
  openSessions,
  type Shut,
  shutDesk,
} from '../../desk/access/sessions.ts'
import { commandLine } from '../../product/command-line.ts'
import type { DeskAccess } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse, OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { columns, localTime } from '../../terminal/words.ts'

/** Sessions and passkeys in one row of numbers, so that each can be ended by its own. */
async function inOrder(desk: DeskAccess) {
  return { sessions: await openSessions(desk), passkeys: (await desk.read()).passkeys }
}

/** `desk --sessions`: lists the open sessions and the passkeys. @throws StoreUnavailable */
export async function listAccess(desk: DeskAccess, { json }: { json?: boolean }, out: Out) {
  const { sessions, passkeys } = await inOrder(desk)
  if (json) {
    const iso = (time: number) => new Date(time).toISOString()
    const rows = [
      ...sessions.map(({ begunAt, usedAt, by, device }, i) => ({
        number: i + 1,
        kind: 'session',
        device,
        by,
        begunAt: iso(begunAt),
        usedAt: iso(usedAt),
      })),
      ...passkeys.map(({ name, addedAt, usedAt }, i) => ({
        number: sessions.length + i + 1,
        kind: 'passkey',
        name,
        addedAt: iso(addedAt),
        usedAt: usedAt === undefined ? null : iso(usedAt),
      })),
    ]
    await out.json(rows)
    return exitCodes.done
  }
  const time = (at: number) => localTime(new Date(at))
  if (sessions.length === 0) out.say('No session is open.')
  else {
    const rows = sessions.map(({ begunAt, usedAt, by, device }, i) => [
      String(i + 1),
      device,
      by,
      time(begunAt),
      time(usedAt),
    ])
    await out.write(`${columns([['', 'device', 'by', 'begun', 'last used'], ...rows])}\n`)
  }
  if (passkeys.length > 0) {
    const rows = passkeys.map(({ name, addedAt, usedAt }, i) => [
      ...[String(sessions.length + i + 1), name, time(addedAt)],
      usedAt === undefined ? 'never' : time(usedAt),
    ])
    const head = ['', 'passkey', 'added', 'last used']
    await out.write(`${sessions.length > 0 ? '\n' : ''}${columns([head, ...rows])}\n`)
    out.say(
      'A device with a passkey opens the desk without a link. --end with its number removes it.',
    )
  }
  return exitCodes.done
}

interface EndOptions {
  readonly json?: boolean
  readonly keepPasskeys?: boolean
}

/**
 * `desk --end`: ends one session or passkey by its number, or everything that opens the desk: an
 * intruder may have added a passkey. @throws OperatorError, StoreUnavailable
 */
export async function endAccess(
  desk: DeskAccess,
  which: true | string,
  { json, keepPasskeys = false }: EndOptions,
  out: Out,
) {
  if (which !== true && keepPasskeys)
    throw new Misuse('--keep-passkeys is for --end without a number.')
  const { ended, removed, passkey } =
    which === true ? await all(desk, keepPasskeys) : await one(desk, which)
  const { passkeys } = await desk.read()
  const left = passkeys.length
  if (json) {
    await out.json({ ended, removed, passkeysLeft: left })
    return exitCodes.done
  }
  const done = [counted(ended, 'session has', 'sessions have', 'ended')]
  if (passkey !== undefined) done.push(`The passkey "${passkey}" is gone.`)
  else if (removed > 0) done.push(counted(removed, 'passkey is', 'passkeys are', 'gone'))
  if (which === true) done.push('Links that were not used yet open nothing any more.')
  out.say(done.join(' '))
  if (left > 0)
    out.say(
      `${left === 1 ? 'One passkey still opens' : `${left} passkeys still open`} the desk. To remove ${left === 1 ? 'it' : 'them'} as well: ${commandLine('desk --end')}`,
    )
  return exitCodes.done
}

interface Ended extends Shut {
  /** The name of the removed passkey, since another one gets its number. */
  readonly passkey?: string
}

async function all(desk: DeskAccess, keepPasskeys: boolean): Promise<Ended> {
  return keepPasskeys ? { ended: await endAllSessions(desk), removed: 0 } : shutDesk(desk)
}

async function one(desk: DeskAccess, number: string): Promise<Ended> {
  const { sessions, passkeys } = await inOrder(desk)
  const index = /^\d{1,4}$/.test(number) ? Number(number) - 1 : -1
  const session = sessions[index]
  if (session) return { ended: await endSession(desk, session.id), removed: 0 }
  const passkey = passkeys[index - sessions.length]
  if (!passkey)
    throw new OperatorError(`There is no session or passkey ${number}: see desk --sessions.`)
  await removePasskey(desk, passkey.id)
  const ended = sessions.filter((one) => one.passkey === passkey.id).length
  return { ended, removed: 1, passkey: passkey.name }
}

function counted(count: number, one: string, many: string, what: string): string {
  return count === 1 ? `One ${one} ${what}.` : `${count} ${many} ${what}.`
}
