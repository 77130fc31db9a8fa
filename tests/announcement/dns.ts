import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import packet from 'dns-packet'
import { onTestFinished } from 'vitest'
import type { ResolveTxt } from '../../src/announcement/sender-records.ts'

/** A real DNS server on loopback with these TXT records, or one that fails, and a way to ask it. */
export async function startDns(
  records: Readonly<Record<string, string[]>> | 'broken',
): Promise<{ server: string; resolveTxt: ResolveTxt }> {
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const { id, questions = [] } = packet.decode(message)
    const name = questions[0]?.name.toLowerCase() ?? ''
    const texts = records === 'broken' ? undefined : records[name]
    const noSuchName = 3
    const failed = 2
    const code = records === 'broken' ? failed : texts ? 0 : noSuchName
    const answer = packet.encode({
      type: 'response',
      ...(id !== undefined && { id }),
      flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | code,
      questions,
      answers: (texts ?? []).map((data) => ({ type: 'TXT', name, data, ttl: 1 })),
    })
    socket.send(answer, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  const server = `127.0.0.1:${socket.address().port}`
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  resolver.setServers([server])
  return { server, resolveTxt: (name) => resolver.resolveTxt(name) }
}
