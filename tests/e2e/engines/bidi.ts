interface LogEntry {
  readonly level: string
  readonly text: string
}

// biome-ignore lint/suspicious/noExplicitAny: each command has an answer of its own.
type Answer = any

/**
 * Opens a connection of WebDriver BiDi.
 *
 * @param onLog is given each entry of the console, once the session has subscribed to them.
 * @returns sends a command. It throws the browser's error, and when the browser has gone.
 */
export async function openBidi(url: string, onLog: (entry: LogEntry) => void) {
  const socket = new WebSocket(url)
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let sent = 0

  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, type, result, error, message } = JSON.parse(data)
    if (method === 'log.entryAdded') return onLog(params)
    const asked = waiting.get(id)
    waiting.delete(id)
    if (type === 'success') asked?.resolve(result)
    else asked?.reject(new Error(`${error}: ${message}`))
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser has gone'))
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`nobody answers at ${url}`)))
  })

  return {
    send(method: string, params: object = {}): Promise<Answer> {
      sent += 1
      const asked = Promise.withResolvers<Answer>()
      waiting.set(sent, asked)
      socket.send(JSON.stringify({ id: sent, method, params }))
      return asked.promise
    },
  }
}
