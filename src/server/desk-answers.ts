import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type DeskDoors, type LinkState, linkStatuses, TOOL_THERE } from '../desk/contract/pages.ts'
import { toolName } from '../product/command-line.ts'
import { escapeHtml } from '../shared/escape-html.ts'
import { deskAnswerHeaders, deskPolicy } from '../site/desk-headers.ts'
import { readPast } from './http/connection-limits.ts'

/** How much of an unwanted body is read, so that its sender can read the answer. */
const UNWANTED_BYTES = 64 * 1024

/**
 * The pages of a link, read at the first request for one. @param file `doors.json` of the build.
 */
export function doorPages(file: string) {
  let doors: Map<LinkState, { html: Buffer; policy: string }> | undefined

  function read() {
    const built = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as DeskDoors)
    // One buffer for all requests, so that a slow reader holds no copy.
    return new Map(
      built.map(([state, { html, policy }]) => [
        state as LinkState,
        { html: Buffer.from(html.replaceAll(TOOL_THERE, escapeHtml(toolName()))), policy },
      ]),
    )
  }

  return (request: IncomingMessage, response: ServerResponse, state: LinkState) => {
    doors ??= read()
    const { html, policy } = doors.get(state) ?? { html: Buffer.of(), policy: deskPolicy([]) }
    send(request, response, linkStatuses[state], html, { 'content-security-policy': policy })
  }
}

/** The server's own answers to those who may open the desk. */
const pages = {
  unreachable: [503, 'The desk cannot be reached', 'Try again in a moment.'],
  unanswered: [
    503,
    'The desk has not answered',
    'The action may still be going on, or be done already. Go back and check before you repeat it.',
  ],
  408: [408, 'That came too slowly', 'Nothing was done. Go back, and send it again.'],
  413: [413, 'That is too long', 'Nothing was done. Go back, and send less.'],
  429: [429, 'Too many requests', 'Nothing was done. Wait a moment, and try again.'],
  503: [503, 'Too much arrives at once', 'Nothing was done. Go back, and send it again.'],
} as const

export function sayPlainly(
  request: IncomingMessage,
  response: ServerResponse,
  what: keyof typeof pages,
) {
  const [status, title, text] = pages[what]
  const html = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>The desk</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="dark">
<h1>${title}</h1><p>${text}</p>`
  const isSoon = what === 'unreachable' || what === 429
  send(request, response, status, html, isSoon ? { 'retry-after': '2' } : {})
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  html: string | Buffer,
  headers: Readonly<Record<string, string>>,
) {
  if (response.headersSent || response.destroyed) return
  const isUnread = !request.complete
  response.writeHead(status, {
    ...deskAnswerHeaders,
    'content-security-policy': deskPolicy([]),
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
    ...headers,
    ...(isUnread && { connection: 'close' }),
  })
  response.end(html)
  if (isUnread) readPast(request, UNWANTED_BYTES)
}
