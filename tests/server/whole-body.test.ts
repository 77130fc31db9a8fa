import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type BodyLimits, bodyReader } from '../../src/server/http/whole-body.ts'

/** A server that answers with the length of a body, or with the status of what was wrong with it. */
async function serve(limits: Partial<BodyLimits> = {}) {
  const read = bodyReader({ bytes: 1000, allBytes: 1500, withinMs: 60_000, ...limits })
  let arrived = 0
  let left = 0
  const server = createServer(async (request, response) => {
    request.on('data', () => {
      arrived += 1
    })
    const body = await read(request, response)
    if (body === undefined) left += 1
    if (typeof body === 'number') response.writeHead(body)
    response.end(typeof body === 'number' ? '' : String(body?.length))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })

  return {
    left: () => left,
    /** Sends the head of a request and some of its body. */
    async send(part: string, length: number) {
      const before = arrived
      const socket = connect(port, '127.0.0.1')
      let answer = ''
      socket
        .on('error', () => {})
        .on('data', (text) => {
          answer += text
        })
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${part}`)
      await expect.poll(() => arrived).toBeGreaterThan(before)
      return {
        socket,
        answered: (what: string) => expect.poll(() => answer).toContain(what),
        isOpen: () => answer === '',
      }
    },
  }
}

it('gives a body once all of it is there', async () => {
  const { send } = await serve()
  const { socket, answered, isOpen } = await send('half', 8)
  expect(isOpen()).toBe(true)
  socket.write('half')
  await answered('\r\n\r\n8')
})

it('takes no body that is too long, and waits for none that is too slow', async () => {
  const { send } = await serve()
  await (await send('x'.repeat(1001), 5000)).answered('413')
  const slow = await serve({ withinMs: 50 })
  await (await slow.send('x', 8)).answered('408')
})

it('gives up the body that has been arriving for longest where all are too much', async () => {
  const { send } = await serve()
  const oldest = await send('x'.repeat(600), 1000)
  const second = await send('x'.repeat(600), 1000)
  const newest = await send('x'.repeat(400), 400)
  await newest.answered('\r\n\r\n400')
  await oldest.answered('503')
  expect(second.isOpen()).toBe(true)
})

it('holds nothing of who has left', async () => {
  const { send, left } = await serve()
  const stays = await send('x'.repeat(600), 1000)
  for (let i = 1; i <= 5; i += 1) {
    const leaves = await send('x'.repeat(600), 1000)
    leaves.socket.destroy()
    await expect.poll(left).toBe(i)
  }
  expect(stays.isOpen()).toBe(true)
})
