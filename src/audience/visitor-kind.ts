import type { IncomingHttpHeaders } from 'node:http'
import { isbot } from 'isbot'

/** Whoever opens the page: a person, a program, or a browser that fetches ahead of a person. */
export type VisitorKind = 'person' | 'robot' | 'prefetch'

/** Longer ones are cut: the names of robots stand within that, and the search takes no longer. */
const LONGEST_AGENT = 400
const REMEMBERED = 500

/**
 * Tells who asks by what they say of themselves. Programs that call themselves a browser are taken
 * for one. What was found of a browser's name is remembered in memory, since the search would take
 * longer than the answer.
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
