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
 * Whether a page of another site loads this as a part, not by a navigation: Fetch Metadata,
 * https://www.w3.org/TR/fetch-metadata/. The desk itself refuses a post from there.
 */
export function isFromElsewhere({ method, headers }: IncomingMessage): boolean {
  const {
    'sec-fetch-site': site = 'none',
    'sec-fetch-mode': mode,
    'sec-fetch-dest': to = 'document',
  } = headers
  if (site === 'none' || site === 'same-origin' || method === 'POST') return false
  return mode !== 'navigate' || to !== 'document'
}

export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
