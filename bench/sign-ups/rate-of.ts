import type { OurServer } from '../our-server.ts'
import { generateLoad, type Visitor } from './generate-load.ts'

const CONNECTIONS = 64
const SECONDS = 2

/** Visitors a second of a paused server, which runs for that time alone. */
export async function rateOf(server: OurServer, visitor: Visitor): Promise<number> {
  server.resume()
  const load = { url: server.url, visitor, connections: CONNECTIONS, seconds: SECONDS }
  const { perSecond } = await generateLoad(load)
  await server.pause()
  return perSecond
}
