import type { IncomingMessage } from 'node:http'
import { deskHeaders } from '../desk/contract/visitor.ts'
import { pastedSecret } from '../keys/desk-tokens.ts'
import type { DeskAccessState, DeskLink } from '../store/desk-access.ts'

/** The token that lets a request in, with the state in which it was found. */
export type DeskPass = { readonly id: string; readonly found: DeskAccessState } & (
  | { readonly by: 'session'; readonly usedAt: number }
  | { readonly by: 'link'; readonly link: DeskLink }
  | { readonly by: 'device' }
)

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
