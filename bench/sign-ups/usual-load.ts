import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensurePackages } from '../../scripts/bootstrap/packages.mjs'

/** Of autocannon's interface, what is used here. */
interface Autocannon {
  default(options: object): Promise<{ requests: { average: number }; non2xx: number }>
}

export interface UsualLoadOptions {
  /** Where sign-ups are posted. */
  readonly url: string
  /** Gives the headers of one more visitor, who is signed in. */
  readonly headers: () => Readonly<Record<string, string>>
  /** Gives the address of one more visitor. */
  readonly email: () => string
  readonly connections: number
  readonly seconds: number
}

/**
 * Prepares autocannon, the load generator that is usual for servers on Node. It spends more on a
 * request than the bare server does, so that it limits that side and not ours.
 *
 * @returns measures sign-ups a second. @throws when an answer is no success.
 */
export async function usualLoad(): Promise<(options: UsualLoadOptions) => Promise<number>> {
  const folder = join(import.meta.dirname, '../autocannon')
  await ensurePackages(folder, 'autocannon', true, process.stderr)
  const module = join(folder, 'node_modules/autocannon/autocannon.js')
  const { default: autocannon }: Autocannon = await import(pathToFileURL(module).href)
  return async ({ url, headers, email, connections, seconds }) => {
    const setupRequest = (request: object) => ({
      ...request,
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ email: email() }),
    })
    const method = 'POST'
    const { requests, non2xx } = await autocannon({
      url,
      method,
      connections,
      duration: seconds,
      requests: [{ method, setupRequest }],
    })
    if (non2xx > 0) throw new Error(`${non2xx} answers of ${url} were no success.`)
    return requests.average
  }
}
