import { deskTokens, hashOfSecret, newDeskSecret } from '../../keys/desk-tokens.ts'
import { type DeskSession, linkIn, nobodyAtTheDesk, withEnds } from '../../store/desk-access.ts'
import type { DeskAccess } from '../../store/store.ts'

/** How long a link opens the desk, and how long a session lasts without being used: a phone has no terminal. */
const LINK_MS = 15 * 60_000
export const SESSION_MS = 7 * 24 * 60 * 60_000

/** A session is renewed after this long, so that it costs a write every few minutes at most. */
export const RENEW_AFTER_MS = 5 * 60_000

/** A new one ends the oldest one. */
const MOST_SESSIONS = 50
const MOST_LINKS = 20

/** What stands in a link: `/desk/<path>#<secret>`. */
export interface NewLink {
  readonly path: string
  readonly secret: string
  /** In milliseconds since 1970. */
  readonly until: number
}

/** Makes a link; only hashes of it are kept. @throws StoreUnavailable */
export function makeLink(access: DeskAccess, linkKey: Buffer): Promise<NewLink> {
  const tokens = deskTokens(linkKey)
  const path = tokens.make('link')
  const secret = newDeskSecret()
  const id = String(tokens.idOf('link', path))
  return access.change((found, now) => {
    const until = now + LINK_MS
    const link = { id, secretHash: hashOfSecret(secret), madeAt: now, until }
    const links = [...found.links, link].slice(-MOST_LINKS)
    return { result: { path, secret, until }, state: { ...found, links } }
  })
}

export type LinkUse =
  | { readonly outcome: 'opened'; readonly token: string }
  | { readonly outcome: 'wrong-code' | 'used' | 'too-old' | 'unknown' }

/** Opens a session with a link, once. @param linkId the hash of its path. @throws StoreUnavailable */
export function openWithLink(
  access: DeskAccess,
  linkKey: Buffer,
  { linkId, secret, device }: { linkId: string; secret: string; device: string },
): Promise<LinkUse> {
  const tokens = deskTokens(linkKey)
  const token = tokens.make('session')
  const id = String(tokens.idOf('session', token))
  const secretHash = hashOfSecret(secret)
  return access.change<LinkUse>((found, now) => {
    const link = linkIn(found, linkId, now)
    if (!link) return { result: { outcome: 'unknown' } }
    if (link.isUsed) return { result: { outcome: 'used' } }
    if (link.until <= now) return { result: { outcome: 'too-old' } }
    // Hashes of random secrets: the time of comparing them reveals nothing.
    if (link.secretHash !== secretHash) return { result: { outcome: 'wrong-code' } }
    const links = found.links.map((one) => (one === link ? { ...one, isUsed: true } : one))
    const sessions = [...found.sessions, newSession(id, device, now)].slice(-MOST_SESSIONS)
    return { result: { outcome: 'opened', token }, state: { links, sessions } }
  })
}

export function newSession(id: string, device: string, now: number): DeskSession {
  return { id, begunAt: now, usedAt: now, until: now + SESSION_MS, device }
}

/** Lets a session last from now on. One that was ended meanwhile stays so. @throws StoreUnavailable */
export function renewSession(access: DeskAccess, id: string): Promise<void> {
  return access.change((found, now) => ({
    result: undefined,
    state: {
      ...found,
      sessions: found.sessions.map((one) =>
        one.id === id ? { ...one, usedAt: now, until: now + SESSION_MS } : one,
      ),
    },
  }))
}

/** Ends one session. @throws StoreUnavailable */
export function endSession(access: DeskAccess, id: string): Promise<void> {
  return access.change((found) => ({
    result: undefined,
    state: withEnds(found, new Set([id])),
  }))
}

/**
 * Ends all sessions, and unused links: from then on only a new link opens the desk.
 *
 * @returns how many sessions ended. @throws StoreUnavailable
 */
export function endAllSessions(access: DeskAccess): Promise<number> {
  return access.change(({ links, sessions }, now) => ({
    result: sessions.filter(({ until }) => until > now).length,
    state: {
      ...nobodyAtTheDesk,
      // Their pages say that they are too old.
      links: links.map((one) => ({ ...one, until: Math.min(one.until, now) })),
    },
  }))
}
