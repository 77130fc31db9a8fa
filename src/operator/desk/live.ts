import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { deskPaths } from '../../shared/desk-pages.ts'
import type { GrowthCounts } from '../../store/growth.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { type LiveStream, liveStream } from './live-streams.ts'
import { DeskProblem } from './parts.ts'

export interface Live {
  /**
   * Lets pages hear of something: `GET /desk/events?of=<name>` sends what `read` gives, whole, at once,
   * after whatever somebody wrote, and every so often. However many listen, it is read once.
   *
   * @param read may throw StoreUnavailable: nothing is sent then.
   */
  topic(name: string, read: () => Promise<unknown>): void
  /** Adds the route. */
  route(desk: FastifyInstance): void
}

export interface LiveOptions {
  readonly store: Pick<GrowthCounts, 'watch'>
  readonly log: FastifyBaseLogger
  /** Changes with each build: a page of another one loads itself anew. */
  readonly build: string
}

interface Topic {
  readonly name: string
  readonly read: () => Promise<unknown>
  readonly streams: Set<LiveStream>
  isReading: boolean
  isChanged: boolean
}

const MOST_STREAMS = 40
/** Between two reads, and so that reading takes a fifth of the time at most. */
const PAUSE_MS = 300
const PAUSES = 4
/** Ages and clocks go on without anybody writing. */
const ANYWAY_MS = 20_000
/** Below the half minute after which proxies may take a connection for dead. */
const BEAT_MS = 10_000
const RETRY_MS = 2000

export function liveEvents({ store, log, build }: LiveOptions): Live {
  const topics = new Map<string, Topic>()
  let count = 0
  let stop = () => {}

  async function refresh(topic: Topic) {
    topic.isChanged = true
    if (topic.isReading) return
    topic.isReading = true
    while (topic.isChanged && topic.streams.size > 0) {
      topic.isChanged = false
      const started = performance.now()
      const state = await stateOf(topic)
      if (state !== undefined) for (const stream of topic.streams) stream.send('state', state)
      const pause = Math.max(PAUSE_MS, PAUSES * (performance.now() - started))
      await new Promise((resolve) => setTimeout(resolve, pause).unref())
    }
    topic.isReading = false
  }

  async function stateOf({ name, read }: Topic): Promise<string | undefined> {
    try {
      return JSON.stringify(await read())
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) log.error({ err: error }, `no events of ${name}`)
      return undefined
    }
  }

  const all = () => [...topics.values()]
  const refreshAll = () => {
    for (const topic of all()) if (topic.streams.size > 0) void refresh(topic)
  }

  /** The store is watched while somebody listens, and only then. */
  function begin() {
    const unwatch = store.watch(refreshAll)
    const anyway = setInterval(refreshAll, ANYWAY_MS)
    const beat = setInterval(() => {
      for (const { streams } of all()) for (const stream of streams) stream.beat()
    }, BEAT_MS)
    stop = () => {
      unwatch()
      clearInterval(anyway)
      clearInterval(beat)
    }
  }

  function open(topic: Topic, answer: ServerResponse) {
    const stream = liveStream(answer)
    if (count === 0) begin()
    count += 1
    topic.streams.add(stream)
    answer.once('close', () => {
      topic.streams.delete(stream)
      count -= 1
      if (count === 0) stop()
    })
    answer.on('error', () => {})
    answer.write(`retry: ${RETRY_MS}\n\n`)
    stream.send('build', JSON.stringify(build))
    void refresh(topic)
  }

  return {
    topic(name, read) {
      topics.set(name, { name, read, streams: new Set(), isReading: false, isChanged: false })
    },

    route(desk) {
      desk.get<{ Querystring: { of?: unknown } }>(deskPaths.events, (request, reply) => {
        const topic = topics.get(String(request.query.of))
        if (!topic) throw new DeskProblem(404, 'Nothing is here', 'The desk has no such events.')
        if (count >= MOST_STREAMS)
          throw new DeskProblem(
            503,
            'Too many pages',
            'So many pages of the desk are open already.',
          )
        reply.hijack()
        reply.raw.writeHead(200, {
          ...(reply.getHeaders() as Record<string, string>),
          'content-type': 'text/event-stream; charset=utf-8',
          // Not to be kept, nor compressed on the way, which would hold it back.
          'cache-control': 'no-store, no-transform',
          // As nginx has it: not to be collected before it is passed on.
          'x-accel-buffering': 'no',
        })
        open(topic, reply.raw)
      })
    },
  }
}
