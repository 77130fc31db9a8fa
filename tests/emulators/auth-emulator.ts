import { join } from 'node:path'
import { oneAtATime } from '../../scripts/bootstrap/one-at-a-time.mjs'
import { ensurePackages } from '../../scripts/bootstrap/packages.mjs'
import { startProgram } from '../../scripts/program.ts'

export interface AuthEmulator {
  readonly origin: string
  /** Every user there is. */
  users(): Promise<{ readonly localId: string }[]>
  disable(uid: string): Promise<void>
  remove(uid: string): Promise<void>
  /** Removes every user. */
  clear(): Promise<void>
  stop(): Promise<void>
}

const folder = import.meta.dirname

/** Installs the Auth emulator, unless it is there: some 240 MB, which is why tests bring it. @returns whether it had to. */
export function installAuthEmulator(): Promise<boolean> {
  return oneAtATime(folder, () => ensurePackages(folder, 'the Auth emulator', true))
}

/** Starts Firebase's Auth emulator for one project. */
export async function startAuthEmulator(project: string): Promise<AuthEmulator> {
  const emulator = startProgram(process.execPath, [join(folder, 'auth-server.mjs'), project])
  const [, origin = ''] = await emulator.printed(/listening on (\S+)/)

  async function asOwner(action: string, body: object) {
    const path = `/identitytoolkit.googleapis.com/v1/projects/${project}/accounts:${action}`
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`accounts:${action} answered ${JSON.stringify(answer)}`)
    return answer as { userInfo?: { localId: string }[] }
  }

  return {
    origin,
    users: async () => (await asOwner('query', {})).userInfo ?? [],
    disable: async (localId) => void (await asOwner('update', { localId, disableUser: true })),
    remove: async (localId) => void (await asOwner('delete', { localId })),
    async clear() {
      await fetch(`${origin}/emulator/v1/projects/${project}/accounts`, { method: 'DELETE' })
    },
    stop: async () => void (await emulator.end('SIGKILL')),
  }
}
