import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

/** What the relay does with a recipient. */
export type Behaviour =
  | 'accept'
  | 'refuse'
  | 'defer'
  | 'drop-at-recipient'
  | 'drop-before-dot'
  | 'drop-after-dot'
  | 'refuse-after-dot'
  | 'defer-after-dot'
  | 'stall-after-dot'
  | 'refuse-sender'
  | 'unready'
  | 'unready-after-dot'

export interface Relay {
  readonly url: string
  readonly port: number
  /** What it said yes to, in that order. */
  readonly accepted: readonly { readonly to: string; readonly raw: string }[]
  /** Everything it read to the final dot, whatever it answered. */
  readonly read: readonly string[]
  /** The passwords that it was told. */
  readonly passwords: readonly string[]
  /** How many connections were opened. */
  connections(): number
  /** How many are open now. */
  open(): number
  /** The last message that it accepted for an address. */
  messageTo(address: string): Promise<Email>
  close(): Promise<void>
}

export interface RelayOptions {
  readonly user?: string
  readonly pass?: string
  readonly port?: number
  /** What a recipient's turn waits for. */
  readonly before?: (address: string) => Promise<unknown>
}

/** A real SMTP server on loopback that does with each recipient what the test says. */
export async function startRelay(
  behaviour: (address: string) => Behaviour = () => 'accept',
  options: RelayOptions = {},
): Promise<Relay> {
  const accepted: { to: string; raw: string }[] = []
  const read: string[] = []
  const passwords: string[] = []
  let connections = 0
  const drop = (session: SMTPServerSession) => {
    for (const connection of server.connections)
      if (connection.session === session) connection._socket.destroy()
  }
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    authOptional: options.user === undefined,
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect(_session, done) {
      connections += 1
      done()
    },
    onAuth({ username, password }, _session, done) {
      passwords.push(password ?? '')
      const isRight = username === options.user && password === options.pass
      done(isRight ? null : new Error('wrong password'), isRight ? { user: username } : undefined)
    },
    onMailFrom({ address }, _session, done) {
      done(behaviour(address) === 'refuse-sender' ? answer(550, 'not you') : null)
    },
    async onRcptTo({ address }, session, done) {
      await options.before?.(address)
      const does = behaviour(address)
      if (does === 'refuse') done(answer(550, `5.1.1 <${address}> user unknown`))
      else if (does === 'defer') done(answer(451, '4.7.1 greylisted, come back later'))
      else if (does === 'unready') done(answer(503, '5.5.1 not now'))
      else if (does === 'drop-at-recipient') drop(session)
      else done()
    },
    onData(stream, session, done) {
      const to = session.envelope.rcptTo[0]?.address ?? ''
      const does = behaviour(to)
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (does === 'drop-before-dot') drop(session)
      })
      stream.on('end', () => {
        if (does === 'drop-before-dot') return
        read.push(to)
        if (does === 'drop-after-dot') drop(session)
        else if (does === 'refuse-after-dot') done(answer(554, '5.7.1 looks like spam'))
        else if (does === 'unready-after-dot') done(answer(503, '5.5.1 not now'))
        else if (does === 'defer-after-dot') done(answer(452, '4.3.1 no room'))
        else if (does !== 'stall-after-dot') {
          accepted.push({ to, raw: Buffer.concat(chunks).toString() })
          done(null, '2.0.0 queued')
        }
      })
    },
  })
  server.on('error', () => {}) // A client that goes away is what these tests are about.
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const credentials = options.user === undefined ? '' : `${options.user}:${options.pass}@`
  return {
    url: `smtp://${credentials}127.0.0.1:${port}`,
    port,
    accepted,
    read,
    passwords,
    connections: () => connections,
    open: () => server.connections.size,
    messageTo(address) {
      const message = accepted.findLast(({ to }) => to === address)
      if (!message) throw new Error(`nothing was accepted for ${address}`)
      return PostalMime.parse(message.raw)
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function answer(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
