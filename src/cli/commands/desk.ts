import { addressSettings } from '../../config/programs.ts'
import { endAllSessions, makeLink } from '../../desk/access/sessions.ts'
import { deskPaths } from '../../desk/contract/pages.ts'
import { isLoopback } from '../../shared/open-url.ts'
import type { DeskAccess } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { counted, localTime } from '../../terminal/words.ts'
import { runWithStore, settingsOf } from '../run.ts'

export interface DeskCommandOptions {
  readonly end?: boolean
  readonly json?: boolean
  readonly linkKey: Buffer
  /** Where visitors find the site; else the link leads to this machine. */
  readonly publicUrl: string | null
  readonly port: number
  /** Whether a person reads the result. */
  readonly isTerminal: boolean
}

/** `desk`: prints a link to the operator's page, or ends all that opens it. */
export function desk(store: DeskAccess, options: DeskCommandOptions, out: Out) {
  return options.end ? endAll(store, options, out) : link(store, options, out)
}

/** @throws StoreUnavailable */
async function endAll(store: DeskAccess, { json }: DeskCommandOptions, out: Out) {
  const ended = await endAllSessions(store)
  if (json) await out.json({ ended })
  else
    out.say(
      `${counted(ended, 'session')} ended. Links that were not used yet open nothing any more.`,
    )
  return exitCodes.done
}

const ANSWER_WITHIN_MS = 2000

async function link(store: DeskAccess, options: DeskCommandOptions, out: Out) {
  const { json, isTerminal, publicUrl, port, linkKey } = options
  // The link lets its holder in, so it must not reach the log of a script or a scheduler.
  if (!json && !isTerminal)
    throw new OperatorError('The link is for a person at a terminal; for a program, add --json.')
  const origin = publicUrl ?? `http://localhost:${port}`
  const { path, secret, until } = await makeLink(store, linkKey)
  const url = `${origin}${deskPaths.today}/${path}#${secret}`
  const trouble = await troubleAt(origin)
  if (isReadOnTheWay(origin))
    out.say(`${origin} is not https: others on the network can read the session, and use it.`)
  if (json) {
    const answers = trouble === undefined
    await out.json({ url, until: new Date(until).toISOString(), answers })
  } else await show({ url, until }, publicUrl, out)
  if (trouble !== undefined) out.say(trouble)
  return exitCodes.done
}

async function show(link: { url: string; until: number }, publicUrl: string | null, out: Out) {
  const { bold, dim } = out.style
  const { qrCode } = await import('./qr-code.ts')
  // A phone cannot reach this machine as localhost.
  await out.write(`${publicUrl === null ? '' : qrCode(link.url, out)}${bold(link.url)}\n\n`)
  await out.write(dim(`Opens the desk once, until ${localTime(new Date(link.until)).slice(11)}.\n`))
  if (publicUrl === null)
    out.say(
      'The link leads to this machine. For a phone, or behind a proxy with TLS, set PUBLIC_URL.',
    )
}

/** The session is a cookie, which others on the network could read. */
function isReadOnTheWay(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol !== 'https:' && !isLoopback(hostname)
}

/** @returns why the site does not answer there; nothing where it does. */
async function troubleAt(origin: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const answer = await fetch(`${origin}/healthz`, { signal, redirect: 'manual' })
    await answer.body?.cancel()
    return answer.ok ? undefined : `${origin} answers ${answer.status} instead of 200.`
  } catch {
    return `No server answers at ${origin}: start it, or set PUBLIC_URL and PORT as the server has them.`
  }
}

export async function fromCommandLine(
  options: Pick<DeskCommandOptions, 'end' | 'json'>,
): Promise<void> {
  const { port, publicUrl } = settingsOf(addressSettings)
  const { isTTY: isTerminal = false } = process.stdout
  await runWithStore({ looks: true }, (store, out, { linkKey }) =>
    desk(store.desk, { ...options, port, publicUrl, isTerminal, linkKey }, out),
  )
}
