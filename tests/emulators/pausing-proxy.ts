import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface PausingProxy {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly origin: string
  /** It takes connections and answers nothing, until `resume`. */
  pause(): void
  resume(): void
  close(): Promise<void>
}

/** Passes on what a server hears and says, until it is to fall silent. @param origin of the server. */
export async function startPausingProxy(origin: string): Promise<PausingProxy> {
  const { hostname, port } = new URL(origin)
  const open = new Set<Socket>()
  let isSilent = false

  function pass(from: Socket, to: Socket) {
    open.add(from)
    from.on('data', (chunk) => to.write(chunk))
    from.on('end', () => to.end())
    from.on('error', () => to.destroy())
    from.on('close', () => open.delete(from))
    if (isSilent) from.pause()
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    near.setNoDelay()
    far.setNoDelay()
    pass(near, far)
    pass(far, near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pause() {
      isSilent = true
      for (const socket of open) socket.pause()
    },
    resume() {
      isSilent = false
      for (const socket of open) socket.resume()
    },
    close() {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
