import type { IncomingHttpHeaders } from 'node:http'
import { isbot } from 'isbot'

/** The visitor: a person, a program, or a browser that fetches ahead of a person. */
export type VisitorKind = 'person' | 'robot' | 'prefetch'

/** Longer headers are cut, to limit the search: the names of robots are within this length. */
const LONGEST_AGENT = 400
const REMEMBERED = 500

/**
 * Recognises the visitor by the headers. Programs that call themselves a browser count as one.
 * Results are remembered by the browser's name, since the search takes longer than the answer.
 */
export function visitorKinds(): (headers: IncomingHttpHeaders) => VisitorKind {
  const known = new Map<string, boolean>()

  function isRobot(agent: string): boolean {
    const found = known.get(agent)
    if (found !== undefined) return found
    const is = isbot(agent)
    if (known.size >= REMEMBERED) known.clear()
    known.set(agent, is)
    return is
  }

  return (headers) => {
    const agent = headers['user-agent']
    // Every browser has a name.
    if (!agent || isRobot(agent.length > LONGEST_AGENT ? agent.slice(0, LONGEST_AGENT) : agent))
      return 'robot'
    const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-moz']
    return purpose !== undefined && String(purpose).includes('prefetch') ? 'prefetch' : 'person'
  }
}
