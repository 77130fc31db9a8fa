import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What is answered to a command, the greeting being that to none. */
export type Answer = string | ((socket: Socket) => void)

/** A mail server that says whatever a test wants. @param answers by the command's first word. */
export async function startHostileRelay(answers: Readonly<Record<string, Answer>>) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    const say = (command: string, usual: string) => {
      const answer = answers[command] ?? `${usual} ok\r\n`
      if (typeof answer === 'string') socket.write(answer)
      else answer(socket)
    }
    say('', '220')
    let isMessage = false
    socket.setEncoding('latin1').on('data', (text) => {
      if (isMessage && !String(text).endsWith('\r\n.\r\n')) return
      if (isMessage) say('.', '250')
      else
        for (const line of String(text).trim().split('\r\n')) {
          const [command = ''] = line.split(' ')
          isMessage = command === 'DATA'
          say(command, isMessage ? '354' : '250')
        }
      if (String(text).endsWith('\r\n.\r\n')) isMessage = false
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(() => resolve()))
  })
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Says it again and again, as fast as it is read. */
export function endless(text: string) {
  const chunk = text.repeat(Math.ceil(65_536 / text.length))
  return (socket: Socket): void => {
    const go = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', go)
    go()
  }
}

/** Says it now and then, so that it is never silent. */
export function trickle(text: string, everyMs = 100) {
  return (socket: Socket): void => {
    const timer = setInterval(() => socket.write(text), everyMs)
    socket.on('close', () => clearInterval(timer))
  }
}
