/** A mail server that reads every message to its end and takes it, in a process of its own. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

const server = new SMTPServer({
  hideSTARTTLS: true,
  authOptional: true,
  disableReverseLookup: true,
  onData(stream, _session, done) {
    stream.on('end', () => done(null, '2.0.0 queued')).resume()
  },
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.server.address() as AddressInfo
  console.log(`mail is open at smtp://127.0.0.1:${port}`)
})
