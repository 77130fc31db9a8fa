import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { type BackendConfig, paths } from '../shared/api.ts'
import { site } from '../shared/site.ts'
import { cacheControl, staticFileHeaders } from '../shared/site-headers.ts'

/** The built page and everything it fetches. */
export async function siteRoutes(
  app: FastifyInstance,
  { root, appId }: { root: string; appId: string },
) {
  const config: BackendConfig = { mode: 'embedded', appId }
  app.get(paths.config, async (_request, reply) => {
    reply.header('cache-control', cacheControl(paths.config))
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
      reply.header('cache-control', cacheControl(reply.request.routeOptions.url ?? ''))
      reply.headers(staticFileHeaders)
    },
  })
}
