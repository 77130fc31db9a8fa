import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { GrowthCounts } from '../../store/store.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { deskPaths } from '../contract/pages.ts'
import { type LiveStream, liveStream } from './live-streams.ts'
import { DeskProblem, type Live, type LiveSource } from './parts.ts'

export interface LiveOptions {
  readonly store: Pick<GrowthCounts, 'watch'>
  readonly log: FastifyBaseLogger
  /** Changes with each build: a page of another one loads itself anew. */
  readonly build: string
}

interface Topic {
  readonly name: string
  readonly source: LiveSource<unknown>
  readonly streams: Set<LiveStream>
  isReading: boolean
  isChanged: boolean
  /** The timer of the next read without a write. */
  again?: ReturnType<typeof setTimeout>
}

const MOST_STREAMS = 40
/** Streams of one session; other sessions have their own. */
const MOST_OF_ONE = 25
/** The pause between two reads, at least; and reading takes at most a fifth of the time. */
const PAUSE_MS = 300
const PAUSES = 4
/** Ages and clocks change without a write. */
const ANYWAY_MS = 20_000
/** The pause after a failed read. */
const AWAY_MS = 2000
/** Less than the half minute after which proxies may close a silent connection. */
const BEAT_MS = 10_000
const RETRY_MS = 2000

export function liveEvents({ store, log, build }: LiveOptions): Live {
  const sources = new Map<string, LiveSource<unknown>>()
  const families = new Map<string, (name: string) => LiveSource<unknown> | undefined>()
  /** The topics with listeners. */
  const topics = new Map<string, Topic>()
  let count = 0
  /** How many streams each session has. */
  const ofOne = new Map<string, number>()
  let stop = () => {}

  async function refresh(topic: Topic) {
    topic.isChanged = true
    if (topic.isReading) return
    topic.isReading = true
    clearTimeout(topic.again)
    let againMs = ANYWAY_MS
    while (topic.isChanged && topic.streams.size > 0) {
      topic.isChanged = false
      const started = performance.now()
      const state = await stateOf(topic)
      if (state !== undefined) {
        const text = JSON.stringify(state)
        for (const stream of topic.streams) stream.send('state', text)
        againMs = Math.min(ANYWAY_MS, topic.source.againMs?.(state) ?? ANYWAY_MS)
      } else {
        for (const stream of topic.streams) stream.send('away', 'null')
        againMs = AWAY_MS
      }
      const pause = Math.max(PAUSE_MS, PAUSES * (performance.now() - started))
      await new Promise((resolve) => setTimeout(resolve, pause).unref())
    }
    topic.isReading = false
    if (topic.streams.size > 0) topic.again = setTimeout(() => refresh(topic), againMs).unref()
  }

  async function stateOf({ name, source }: Topic): Promise<unknown> {
    try {
      return await source.read()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) log.error({ err: error }, `no events of ${name}`)
      return undefined
    }
  }

  const all = () => [...topics.values()]
  const refreshAll = () => {
    for (const topic of all()) void refresh(topic)
  }

  /** The store is watched only while there are listeners. */
  function begin() {
    const unwatch = store.watch(refreshAll)
    const beat = setInterval(() => {
      for (const { streams } of all()) for (const stream of streams) stream.beat()
    }, BEAT_MS)
    stop = () => {
      unwatch()
      clearInterval(beat)
    }
  }

  function open(topic: Topic, answer: ServerResponse, session: string) {
    const stream = liveStream(answer)
    if (count === 0) begin()
    count += 1
    ofOne.set(session, (ofOne.get(session) ?? 0) + 1)
    topics.set(topic.name, topic)
    topic.streams.add(stream)
    answer.once('close', () => {
      topic.streams.delete(stream)
      if (topic.streams.size === 0) end(topic)
      count -= 1
      const left = (ofOne.get(session) ?? 0) - 1
      if (left > 0) ofOne.set(session, left)
      else ofOne.delete(session)
      if (count === 0) stop()
    })
    answer.on('error', () => {})
    answer.write(`retry: ${RETRY_MS}\n\n`)
    stream.send('build', JSON.stringify(build))
    void refresh(topic)
  }

  function topicOf(name: string): Topic | undefined {
    const known = topics.get(name)
    if (known) return known
    const source = sources.get(name) ?? memberOf(name)
    return source && { name, source, streams: new Set(), isReading: false, isChanged: false }
  }

  function memberOf(name: string) {
    const colon = name.indexOf(':')
    return families.get(name.slice(0, Math.max(0, colon)))?.(name.slice(colon + 1))
  }

  function end(topic: Topic) {
    clearTimeout(topic.again)
    topics.delete(topic.name)
  }

  return {
    topic: (name, source) => void sources.set(name, source as LiveSource<unknown>),
    topics: (family, sourceOf) =>
      void families.set(family, sourceOf as (name: string) => LiveSource<unknown> | undefined),

    route(desk) {
      desk.get<{ Querystring: { of?: unknown } }>(deskPaths.events, (request, reply) => {
        const topic = topicOf(String(request.query.of))
        if (!topic) throw new DeskProblem(404, 'Nothing is here', 'The desk has no such events.')
        const { id } = request.desk
        if (count >= MOST_STREAMS || (ofOne.get(id) ?? 0) >= MOST_OF_ONE)
          throw new DeskProblem(
            503,
            'Too many pages',
            'You have too many pages of the desk open. Close some of them.',
          )
        reply.hijack()
        reply.raw.writeHead(200, {
          ...(reply.getHeaders() as Record<string, string>),
          'content-type': 'text/event-stream; charset=utf-8',
          // Not cached, and not compressed by a proxy, which would delay it.
          'cache-control': 'no-store, no-transform',
          // nginx must not buffer it.
          'x-accel-buffering': 'no',
        })
        open(topic, reply.raw, id)
      })
    },
  }
}
