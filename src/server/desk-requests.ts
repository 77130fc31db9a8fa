import type { IncomingMessage } from 'node:http'
import { deskCookie } from '../desk/contract/cookies.ts'
import type { LinkState } from '../desk/contract/pages.ts'
import { type DeskVisitorKind, deskHeaders } from '../desk/contract/visitor.ts'
import { deskName, deskTokens, pastedSecret } from '../keys/desk-tokens.ts'
import { type DeskAccessState, type DeskLink, linkIn, sessionIn } from '../store/desk-access.ts'

/** The token that lets a request in, with the state in which it was found. */
export type DeskPass = { readonly id: string; readonly found: DeskAccessState } & (
  | { readonly by: 'session'; readonly usedAt: number }
  | { readonly by: 'link'; readonly link: DeskLink }
)

/** What a server's own tokens and cookies are made with. */
export interface OwnTokens {
  readonly linkKey: Buffer
  readonly appId: string
  readonly publicUrl: string | null
}

/** The ids of the signed tokens in a request, by kind. */
export type VisitorIds = Readonly<Record<DeskVisitorKind, string | undefined>>

/** @returns a function that reads them: a session is a cookie, and a link is in the path. */
export function visitorIds({ linkKey, appId, publicUrl }: OwnTokens) {
  const { idOf } = deskTokens(linkKey)
  const isHttps = publicUrl?.startsWith('https:') ?? false
  const session = deskCookie(isHttps, deskName(linkKey, appId))
  return ({ cookie }: IncomingMessage['headers'], link = ''): VisitorIds => ({
    session: idOf('session', session.read(cookie) ?? ''),
    link: idOf('link', link),
  })
}

/** By which of these tokens a request is let in. @param now in milliseconds since 1970 */
export function passIn(found: DeskAccessState, ids: VisitorIds, now: number): DeskPass | undefined {
  const session = ids.session && sessionIn(found, ids.session, now)
  if (session) return { by: 'session', id: session.id, usedAt: session.usedAt, found }
  const link = ids.link && linkIn(found, ids.link, now)
  return link ? { by: 'link', id: link.id, link, found } : undefined
}

/** What the page of a link says of it. */
export const linkState = ({ isUsed, until }: DeskLink, now: number): LinkState =>
  isUsed ? 'used' : until <= now ? 'too-old' : 'open'

/** The headers that the desk reads. All others end here. */
const SENT_ON = [
  ...['accept-encoding', 'content-type', 'cookie', 'origin'],
  ...['sec-fetch-site', 'user-agent', 'x-csrf'],
]

export function forwarded(pass: DeskPass, { method, url, headers }: IncomingMessage, body: Buffer) {
  return {
    ...Object.fromEntries(
      SENT_ON.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])),
    ),
    ...(body.length > 0 && { 'content-length': body.length }),
    ':method': method,
    ':path': url,
    ':authority': headers.host ?? '',
    [deskHeaders.by]: pass.by,
    [deskHeaders.id]: pass.id,
    ...(pass.by === 'session' && { [deskHeaders.usedAt]: String(pass.usedAt) }),
  }
}

/** The code that the page of a link posts. */
export const codeIn = (body: Buffer) =>
  pastedSecret(new URLSearchParams(body.toString()).get('code') ?? '')

/**
 * Whether the request is not the operator's own and of no page of the desk: Fetch Metadata,
 * https://www.w3.org/TR/fetch-metadata/, which no script can set. Another site may lead to the desk, and
 * load no part of it. Another page of ours may neither. A script there can send any `Referer`, so only a
 * navigation is believed by it: what a script could read has to have the key that the desk's pages have.
 * The desk itself checks the token of a post.
 *
 * @param key of the events of the session that asks, if there is one.
 */
export function isFromElsewhere(
  { method, url = '', headers }: IncomingMessage,
  key: string | undefined,
): boolean {
  const {
    'sec-fetch-site': site,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': to = 'document',
  } = headers
  if (site === 'none') return false
  const isOwn = site === undefined || site === 'same-origin'
  if (isOwn && isOfOtherPage(headers, site !== undefined)) return true
  if (site === undefined || method === 'POST') return false
  if (!isOwn) return mode !== 'navigate' || to !== 'document'
  const isFile = url.startsWith('/desk/files/')
  return mode !== 'navigate' && !isFile && !(key && url.startsWith(`/desk/events?key=${key}&`))
}

/** Whether a page of ours that is not the desk's says that it asks. @param isOurs known by the browser. */
function isOfOtherPage({ referer, host }: IncomingMessage['headers'], isOurs: boolean): boolean {
  const page = URL.parse(referer ?? '')
  return !!page && (isOurs || page.host === host) && !/^\/desk(\/|$)/.test(page.pathname)
}

export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

export const isLook = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'
