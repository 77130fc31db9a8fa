import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { otherForm } from '../../site/own-paths.ts'
import { dataHeaders } from '../../site/security-headers.ts'
import { readPast } from '../http/connection-limits.ts'
import { logAnswer } from '../http/log.ts'
import { bestVariant, type SiteFile } from '../http/site-file.ts'
import type { SiteFiles } from './site-files.ts'

/** Answers a request, or leaves it to Fastify. @returns whether it answered. */
export type Answerer = (request: IncomingMessage, response: ServerResponse) => boolean

export interface SiteOptions {
  /** The files that are served now; all of them change at once when the page opens. */
  readonly shown: { readonly files: SiteFiles }
  readonly log: FastifyBaseLogger
  /** How much of a body is read and discarded, in bytes; these requests have none. */
  readonly bodyBytes: number
  /** Called for each answer with the page, with whether the browser had it already. */
  readonly onVisit?: ((request: IncomingMessage, isReturn: boolean) => void) | undefined
  /** Called for each answer. @param status the one of HTTP. */
  readonly onAnswer?: ((status: number) => void) | undefined
}

/**
 * Serves the page and its files, before Fastify: these are most of all requests, and no hook is
 * needed to answer them.
 */
export function siteAnswerer(options: SiteOptions): Answerer {
  const { shown, log, bodyBytes, onVisit, onAnswer } = options
  /** Answers with where a file is, if it is there. */
  function movedTo(
    path: string,
    { method = '', url = '' }: IncomingMessage,
    response: ServerResponse,
  ) {
    if (!shown.files.has(path)) return false
    logAnswer(log, { method, route: path }, response)
    const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
    response.writeHead(308, { ...dataHeaders, location: path + query }).end()
    onAnswer?.(308)
    return true
  }

  return (request, response) => {
    const { method, url = '' } = request
    if (method !== 'GET' && method !== 'HEAD') return false
    const path = pathOf(url)
    const found = shown.files.get(path)
    if (!found) return movedTo(otherForm(path), request, response)
    const file = found.inLanguage?.(request.headers['accept-language']) ?? found
    logAnswer(log, { method, route: path }, response)
    if (hasBody(request)) readPast(request, bodyBytes)
    const hadIt = sendFile(file, request, response)
    const { isPage } = file
    // By the link at the foot of the page in another language.
    const isNext =
      shown.files.get('/')?.inLanguage && request.headers['sec-fetch-site'] === 'same-origin'
    if (isPage && method === 'GET') onVisit?.(request, hadIt || isNext === true)
    onAnswer?.(response.statusCode)
    return true
  }
}

/** @returns whether the browser had it already. */
function sendFile(file: SiteFile, request: IncomingMessage, response: ServerResponse): boolean {
  const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers
  const { body, etag, headers, unchanged } = bestVariant(file, String(accepted ?? ''))
  const tags = tagsIn(known)
  if (tags.includes(etag) || tags.includes('*')) {
    response.writeHead(304, unchanged).end()
    return true
  }
  response.writeHead(200, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
  return false
}

/** A longer `If-None-Match` is ignored, in characters: a browser sends the one tag that it has. */
const LONGEST_TAGS = 500

/** @param known the header `If-None-Match`, a list. */
function tagsIn(known = ''): string[] {
  if (known.length > LONGEST_TAGS) return []
  return known.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    // Not a valid URL: Fastify answers.
    return ''
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
