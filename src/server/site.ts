import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { type BackendConfig, paths } from '../shared/api.ts'
import { site } from '../shared/site.ts'

/** The built page and everything it fetches. */
export async function siteRoutes(
  app: FastifyInstance,
  { root, appId }: { root: string; appId: string },
) {
  const config: BackendConfig = { mode: 'embedded', appId }
  app.get(paths.config, async (_request, reply) => {
    reply.header('cache-control', 'no-cache')
    return config
  })

  await app.register(fastifyStatic, {
    root: join(root, site.public),
    // A route for each file there is: nothing else can be asked for, however it is spelt.
    wildcard: false,
    preCompressed: true,
    globIgnore: ['**/*.br', '**/*.gz'],
    cacheControl: false,
    setHeaders(reply) {
      const url = reply.request.routeOptions.url ?? ''
      reply.header('cache-control', cacheControl(url))
      // Previews elsewhere show our picture; nothing here is for one visitor only.
      reply.header('cross-origin-resource-policy', 'cross-origin')
    },
  })
}

function cacheControl(url: string): string {
  // The build names what is in this folder by its content.
  if (url.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  if (url.endsWith('/') || url.endsWith('.html')) return 'no-cache'
  return 'public, max-age=3600'
}
