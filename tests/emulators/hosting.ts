import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

interface Superstatic {
  server(options: object): { listen(): Server }
}

/**
 * Serves what `npm run build:firebase` wrote as Firebase Hosting does, by the program that is in
 * Firebase's own emulator. Needs what `installAuthEmulator` brings.
 *
 * @param folder of a `firebase.json`.
 */
export async function startHosting(folder: string) {
  const superstatic: Superstatic = createRequire(import.meta.url)('superstatic')
  const { hosting } = JSON.parse(readFileSync(join(folder, 'firebase.json'), 'utf8'))
  const options = { port: 0, hostname: '127.0.0.1', cwd: folder, config: hosting }
  const server = superstatic.server(options).listen()
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
