import { setTimeout as sleep } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: each command has an answer of its own.
type Answer = any

/**
 * Opens a session of WebDriver with a service that may still be starting.
 *
 * @returns commands of that session. They throw the service's error.
 */
export async function openSession(service: string, capabilities: object) {
  await untilReady(service)
  const { sessionId } = await call(`${service}/session`, {
    capabilities: { alwaysMatch: capabilities },
  })
  const session = `${service}/session/${sessionId}`
  return {
    post: (command: string, body: object): Promise<Answer> => call(`${session}/${command}`, body),
    get: (command: string): Promise<Answer> => call(`${session}/${command}`),
  }
}

async function call(url: string, body?: object): Promise<Answer> {
  const request = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const response = await fetch(url, request)
  const { value } = await response.json()
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
  return value
}

async function untilReady(service: string) {
  const deadline = AbortSignal.timeout(30_000)
  for (;;) {
    try {
      return await call(`${service}/status`)
    } catch (cause) {
      if (deadline.aborted) throw new Error(`nobody answers at ${service}`, { cause })
      await sleep(20)
    }
  }
}
