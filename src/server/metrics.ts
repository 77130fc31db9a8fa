import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { isIP } from 'node:net'
import type { Mailer } from '../mail/mailer.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import counters from './counters.json' with { type: 'json' }

/** Bounds of a request; all times in milliseconds. */
const limits = {
  headersTimeout: 5000,
  requestTimeout: 5000,
  maxHeaderSize: 8192,
  connectionsCheckingInterval: 1000,
}
const headers = { 'content-type': 'text/plain; version=0.0.4', 'cache-control': 'no-store' }

export type Metrics = ReturnType<typeof createMetrics>

/**
 * The counts of a running server, since its start. None has a label, so nothing that a visitor sends
 * can be in one, or add one.
 */
export function createMetrics() {
  const counts = new Map<string, number>(Object.keys(counters).map((name) => [name, 0]))
  const count = (name: keyof typeof counters) => counts.set(name, (counts.get(name) ?? 0) + 1)
  let waiting: Store['inbox']['waiting'] | undefined

  /** Counts the outcome of a sign-up, and passes it on. */
  async function watched<T>(kept: Promise<T>, suspicion: string | undefined): Promise<T> {
    try {
      const result = await kept
      count('sign_ups')
      if (suspicion !== undefined) count('sign_ups_with_signs')
      return result
    } catch (cause) {
      count(cause instanceof StoreUnavailable ? 'sign_ups_unavailable' : 'sign_ups_failed')
      throw cause
    }
  }

  return {
    /** Counts an answer that was sent. @param status the one of HTTP. */
    answered(status: number) {
      count('answers')
      if (status >= 500) count('answers_failed')
      else if (status === 429) count('answers_limited')
      else if (status >= 400) count('answers_refused')
    },

    /** @returns the same store, whose sign-ups are counted. */
    watchStore({ list, requests, ...store }: Store): Store {
      waiting = async () => store.inbox.waiting()
      return {
        ...store,
        list: { ...list, add: (email, notes) => watched(list.add(email, notes), notes?.suspicion) },
        requests: {
          ...requests,
          requestConfirmation: (email, asked) =>
            watched(requests.requestConfirmation(email, asked), asked.suspicion),
        },
      }
    },

    /** @returns the same mailer, whose letters are counted. */
    watchMailer: (mailer: Mailer): Mailer => ({
      ...mailer,
      async send(message) {
        const outcome = await mailer.send(message).catch((cause) => {
          count('letters_not_accepted')
          throw cause
        })
        count(outcome.kind === 'accepted' ? 'letters_accepted' : 'letters_not_accepted')
        return outcome
      },
    }),

    /** All of them in the text format of Prometheus, version 0.0.4. */
    text: async () => inPrometheus(counts, (await waiting?.().catch(() => undefined))?.seconds),
  }
}

function inPrometheus(counts: ReadonlyMap<string, number>, waiting: number | undefined): string {
  const lines = Object.entries(counters).map(([key, help]) =>
    measure(`${key}_total`, help, 'counter', counts.get(key)),
  )
  const help = 'How long the oldest sign-up has waited to be taken in.'
  if (waiting !== undefined) lines.push(measure('waiting_seconds', help, 'gauge', waiting))
  return lines.join('')
}

const measure = (name: string, help: string, type: string, value: number | undefined) =>
  `# HELP opening_bell_${name} ${help}\n# TYPE opening_bell_${name} ${type}\nopening_bell_${name} ${value}\n`

/**
 * Answers `GET /metrics` on a port of its own, which no visitor reaches.
 *
 * @returns the server, listening. @throws what `listen` does.
 */
export async function listenForMetrics(
  text: () => Promise<string>,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Server> {
  const server = createServer(limits, async (request, response) => {
    const end = (status: number, body: string) => response.writeHead(status, headers).end(body)
    request.resume()
    if (isLoopback(host) && !isNamedHere(request.headers.host)) return end(421, 'wrong host\n')
    if (request.url?.split('?')[0] !== '/metrics') return end(404, 'not found\n')
    if (request.method !== 'GET') return end(405, 'only GET\n')
    return end(200, await text())
  })
  // Prometheus needs one connection, and a person who looks needs another.
  server.maxConnections = 16
  await once(server.listen(port, host), 'listening')
  // Nothing waits for it when the server ends.
  return server.unref()
}

const isLoopback = (host: string) => host === 'localhost' || /^(127\.|::1$)/.test(host)

/** A website could let its own name lead to this machine; the request's Host then has that name. */
function isNamedHere(host: string | undefined): boolean {
  const name = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return name === 'localhost' || isIP(name) > 0
}
