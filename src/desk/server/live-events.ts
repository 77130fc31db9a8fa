import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import { say } from '../../shared/say.ts'
import type { GrowthCounts } from '../../store/store.ts'
import { deskPaths } from '../contract/pages.ts'
import { type LiveStream, liveStream } from './live-streams.ts'
import { type LiveTopic, liveTopic } from './live-topic.ts'
import { DeskProblem, type Live, type LiveSource } from './parts.ts'

export interface LiveOptions {
  readonly store: Pick<GrowthCounts, 'watch'>
  readonly log: FastifyBaseLogger
  /** Changes with each build: a page of another one loads itself anew. */
  readonly build: string
}

const MOST_STREAMS = 40
/** Streams of one session; other sessions have their own. */
const MOST_OF_ONE = 25
/** Less than the half minute after which proxies may close a silent connection. */
const BEAT_MS = 10_000
const RETRY_MS = 2000

export function liveEvents({ store, log, build }: LiveOptions): Live {
  /** By the name of a topic, or that of a family with its colon. */
  const sources = new Map<string, (member: string) => LiveSource<unknown> | undefined>()
  /** The topics with listeners. */
  const topics = new Map<string, LiveTopic>()
  /** The open streams, with their sessions. */
  const open = new Map<LiveStream, string>()
  let stop = () => {}

  /** The store is watched only while there are listeners. */
  function begin() {
    const unwatch = store.watch(() => {
      for (const topic of topics.values()) void topic.refresh()
    })
    const beat = setInterval(() => {
      for (const stream of open.keys()) stream.beat()
    }, BEAT_MS)
    stop = () => {
      unwatch()
      clearInterval(beat)
    }
  }

  function topicOf(name: string): LiveTopic | undefined {
    const known = topics.get(name)
    if (known) return known
    const colon = name.indexOf(':')
    const source = sources.get(name.slice(0, colon + 1) || name)?.(name.slice(colon + 1))
    const failed = (fault: unknown) => log.error({ err: fault }, `no events of ${name}`)
    return source && liveTopic(source, failed)
  }

  return {
    topic: (name, source) => void sources.set(name, () => source as LiveSource<unknown>),
    topics: (family, sourceOf) =>
      void sources.set(`${family}:`, sourceOf as (name: string) => LiveSource<unknown> | undefined),

    route(desk) {
      desk.get<{ Querystring: { of?: unknown } }>(deskPaths.events, (request, reply) => {
        const name = String(request.query.of)
        const topic = topicOf(name)
        if (!topic)
          throw new DeskProblem(404, say('Nothing is here'), say('The desk has no such events.'))
        if (!hasSlot(open, request.desk.id)) throw tooManyPages()
        if (open.size === 0) begin()
        const stream = begunStream(reply, build)
        open.set(stream, request.desk.id)
        topics.set(name, topic)
        topic.add(stream)
        reply.raw.once('close', () => {
          if (!topic.remove(stream)) topics.delete(name)
          open.delete(stream)
          if (open.size === 0) stop()
        })
      })
    },
  }
}

function hasSlot(open: ReadonlyMap<LiveStream, string>, session: string): boolean {
  const own = [...open.values()].filter((one) => one === session)
  return open.size < MOST_STREAMS && own.length < MOST_OF_ONE
}

const tooManyPages = () =>
  new DeskProblem(
    503,
    say('Too many pages'),
    say('You have too many pages of the desk open. Close some of them.'),
  )

/** Begins an answer that goes on, and says of which build it is. */
function begunStream(reply: FastifyReply, build: string): LiveStream {
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    // Not cached, and not compressed by a proxy, which would delay it.
    'cache-control': 'no-store, no-transform',
    // nginx must not buffer it.
    'x-accel-buffering': 'no',
  })
  reply.raw.on('error', () => {})
  reply.raw.write(`retry: ${RETRY_MS}\n\n`)
  const stream = liveStream(reply.raw)
  stream.send('build', JSON.stringify(build))
  return stream
}
