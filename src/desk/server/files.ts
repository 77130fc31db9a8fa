import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** `/desk/files/…`: what the pages load. Their names have a hash of their content. */
export function fileRoutes(desk: FastifyInstance, folder: string) {
  const inFolder = join(folder, 'files')
  const names = new Set(existsSync(inFolder) ? readdirSync(inFolder) : [])
  desk.get<{ Params: { name: string } }>('/desk/files/:name', async (request, reply) => {
    const { name } = request.params
    const type = types[extname(name)]
    if (!type || !names.has(name)) return reply.callNotFound()
    const isShort =
      names.has(`${name}.br`) && /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))
    if (isShort) reply.header('content-encoding', 'br')
    return reply
      .headers({ 'cache-control': 'private, max-age=31536000, immutable', vary: 'accept-encoding' })
      .type(type)
      .send(readFileSync(join(inFolder, isShort ? `${name}.br` : name)))
  })
}
