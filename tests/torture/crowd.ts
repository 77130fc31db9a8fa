import { setTimeout as sleep } from 'node:timers/promises'
import { paths } from '../../src/shared/api.ts'
import { fromOurPage } from '../fixtures/app.ts'

/** Visitors who sign up one after the other, on so many connections, until they are stopped. */
export interface Crowd {
  /** Whose sign-up was answered with thanks. */
  readonly thanked: string[]
  /** Whose sign-up was not. */
  readonly refused: string[]
  /** What those were told, such as `503 {"error":"database-unavailable"}`. */
  readonly refusals: Set<string>
  /** Resolves once so many were thanked, however long the machine takes. */
  thanks(count: number): Promise<void>
  /** Resolves with all that it counted once everybody has gone; a server that is away stops them too. */
  stop(): Promise<void>
}

/**
 * @param name tells the addresses of this crowd from those of another.
 * @param more headers of each sign-up.
 */
export function crowd(
  url: string,
  name: string,
  connections = 16,
  more: Readonly<Record<string, string>> = {},
): Crowd {
  const thanked: string[] = []
  const refused: string[] = []
  const refusals = new Set<string>()
  let stopped = false

  async function visit(who: number) {
    const headers = { ...(await signIn(url)), ...more }
    for (let i = 0; !stopped; i++) {
      const email = `${name}-${who}-${i}@example.com`
      const { status, body } = await signUp(url, headers, email)
      if (status === 201) thanked.push(email)
      else {
        refused.push(email)
        refusals.add(`${status} ${body}`)
      }
    }
  }

  const everybody = Promise.allSettled(Array.from({ length: connections }, (_, who) => visit(who)))
  return {
    thanked,
    refused,
    refusals,
    async thanks(count) {
      while (thanked.length < count) await sleep(1)
    },
    async stop() {
      stopped = true
      await everybody
    },
  }
}

/** Signs a visitor in. @returns the headers of the requests that follow. */
export async function signIn(url: string): Promise<Record<string, string>> {
  const answer = await fetch(url + paths.session, { method: 'POST', headers: fromOurPage })
  const cookie = String(answer.headers.get('set-cookie')).split(';')[0] ?? ''
  await answer.text()
  return { ...fromOurPage, cookie, 'content-type': 'application/json' }
}

/** `POST /api/subscribers` as the page makes it. @param more what it says beside the address. */
export async function signUp(
  url: string,
  headers: Record<string, string>,
  email: string,
  more: object = {},
) {
  const body = JSON.stringify({ email, ...more })
  const answer = await fetch(url + paths.subscribers, { method: 'POST', headers, body })
  return { status: answer.status, body: await answer.text() }
}
