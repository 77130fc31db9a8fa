import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Stands before a site as a slow line would: its page comes up to the first mark, then piece by piece.
 *
 * @param edit changes the page on its way.
 */
export async function serveInPieces(
  siteUrl: string,
  marks: readonly string[],
  edit = (html: string) => html,
) {
  const waiting: string[] = []
  let page: ServerResponse | undefined
  const server = createServer(async (request, response) => {
    const answer = await fetch(siteUrl + request.url, { method: request.method ?? 'GET' })
    response.setHeader('content-type', String(answer.headers.get('content-type')))
    if (request.url !== '/') return void response.end(Buffer.from(await answer.arrayBuffer()))
    const [first, ...rest] = edit(await answer.text()).split(new RegExp(`(?=${marks.join('|')})`))
    response.write(first)
    waiting.push(...rest)
    page = response
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,

    /** @returns whether there was another piece. */
    sendNext(): boolean {
      const piece = waiting.shift()
      if (piece === undefined) return false
      page?.write(piece)
      if (waiting.length === 0) page?.end()
      return true
    },

    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
