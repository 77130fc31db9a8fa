import { deskPaths } from '../../shared/desk-pages.ts'
import type { DeskAccess } from '../../store/desk-access.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Out } from '../terminal/out.ts'
import { columns, localTime } from '../terminal/words.ts'
import { endAllSessions, endSession, makeLink, openSessions } from './access.ts'

export interface DeskCommandOptions {
  readonly sessions?: boolean
  /** `true` for all, or the number of one as `--sessions` lists them. */
  readonly end?: true | string
  readonly json?: boolean
  readonly linkKey: Buffer
  /** Where visitors find the site; else the link leads to this machine. */
  readonly publicUrl: string | null
  readonly port: number
  /** Whether a person reads the result. */
  readonly isTerminal: boolean
}

/** `desk`: a link into the operator's page, who is in, and how to end that. */
export async function desk(store: DeskAccess, options: DeskCommandOptions, out: Out) {
  if (options.end !== undefined) return end(store, options.end, options, out)
  if (options.sessions) return list(store, options, out)
  return link(store, options, out)
}

const ANSWER_WITHIN_MS = 2000

async function link(store: DeskAccess, options: DeskCommandOptions, out: Out) {
  const { json, isTerminal, publicUrl, port, linkKey } = options
  // Whoever has the link is in: it belongs into no log of a script or a scheduler.
  if (!json && !isTerminal)
    throw new OperatorError('The link is for a person at a terminal; for a program, add --json.')
  const origin = publicUrl ?? `http://localhost:${port}`
  const { path, secret, until } = await makeLink(store, linkKey)
  const url = `${origin}${deskPaths.today}/${path}#${secret}`
  const trouble = await troubleAt(origin)
  if (json) {
    const answers = trouble === undefined
    await out.write(`${JSON.stringify({ url, until: new Date(until).toISOString(), answers })}\n`)
    return exitCodes.done
  }
  const { bold, dim } = out.style
  const { qrCode } = await import('./qr-code.ts')
  // A phone cannot come to this machine by its own name.
  await out.write(`${publicUrl === null ? '' : qrCode(url, out)}${bold(url)}\n\n`)
  await out.write(dim(`Opens the desk once, until ${localTime(new Date(until)).slice(11)}.\n`))
  if (publicUrl === null) out.say('It leads to this machine; for a phone, set PUBLIC_URL.')
  if (trouble !== undefined) out.say(`No server answers at ${origin}: ${trouble}`)
  return exitCodes.done
}

/** @returns why the site does not answer there; nothing where it does. */
async function troubleAt(origin: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const answer = await fetch(`${origin}/healthz`, { signal, redirect: 'manual' })
    await answer.body?.cancel()
    return answer.ok ? undefined : `it says ${answer.status}.`
  } catch {
    return 'start it, or set PUBLIC_URL or PORT as it has them.'
  }
}

async function list(store: DeskAccess, { json }: DeskCommandOptions, out: Out) {
  const sessions = await openSessions(store)
  if (json) {
    const rows = sessions.map(({ begunAt, usedAt, by, device }, i) => ({
      ...{ number: i + 1, device, by },
      ...{ begunAt: new Date(begunAt).toISOString(), usedAt: new Date(usedAt).toISOString() },
    }))
    await out.write(`${JSON.stringify(rows)}\n`)
    return exitCodes.done
  }
  if (sessions.length === 0) {
    out.say('Nobody is in.')
    return exitCodes.done
  }
  const head = ['', 'device', 'by', 'begun', 'last used']
  const rows = sessions.map(({ begunAt, usedAt, by, device }, i) => [
    ...[String(i + 1), device, by],
    ...[localTime(new Date(begunAt)), localTime(new Date(usedAt))],
  ])
  await out.write(`${columns([head, ...rows])}\n`)
  return exitCodes.done
}

async function end(
  store: DeskAccess,
  which: true | string,
  { json }: DeskCommandOptions,
  out: Out,
) {
  const ended = which === true ? await endAllSessions(store) : await endOne(store, which)
  if (json) await out.write(`${JSON.stringify({ ended })}\n`)
  else out.say(ended === 1 ? 'One session has ended.' : `${ended} sessions have ended.`)
  return exitCodes.done
}

async function endOne(store: DeskAccess, number: string): Promise<number> {
  const session = /^\d{1,4}$/.test(number)
    ? (await openSessions(store))[Number(number) - 1]
    : undefined
  if (!session) throw new OperatorError(`There is no session ${number}: see desk --sessions.`)
  return endSession(store, session.id)
}
