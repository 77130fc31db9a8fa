/** Logs two requests whole, as the framework does with those that go wrong, to the server's own log. */
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { createLog } from '../src/server/log.ts'

const log = createLog('info')
const app = Fastify({ loggerInstance: createLog('silent') })
const note = (words: string) => async (req: FastifyRequest, res: FastifyReply) => {
  log.debug({ req, res }, 'too fine')
  log.info({ req, res }, words)
  return ''
}
app.post('/api/subscribers', note('known'))
app.setNotFoundHandler(note('unknown'))

const headers = { cookie: 'session=secret', referer: 'http://localhost/?secret' }
const payload = { email: 'secret@example.com' }
await app.inject({ method: 'POST', url: '/api/subscribers?email=secret', headers, payload })
await app.inject({ url: '/secret@example.com', headers })
