import type { FastifyBaseLogger } from 'fastify'
import { endOfWorkers, endOfWorkersHeaders } from '../../site/end-of-workers.ts'
import { hasBody } from '../desk-requests.ts'
import { logAnswer } from '../http/log.ts'
import type { Answerer } from './site.ts'

/**
 * Answers a browser that asks for a service worker with the one that ends itself, at every path: Service
 * Workers, "fetch a script", has its header.
 */
export const workersAnswerer =
  (log: FastifyBaseLogger): Answerer =>
  (request, response) => {
    const { method = '', headers } = request
    if (method !== 'GET' || headers['service-worker'] !== 'script' || hasBody(request)) return false
    logAnswer(log, { method, route: 'a service worker' }, response)
    response.writeHead(200, endOfWorkersHeaders).end(endOfWorkers)
    return true
  }
