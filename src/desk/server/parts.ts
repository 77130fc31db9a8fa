import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DeskSettings } from '../../config/programs.ts'
import type { Product } from '../../shared/product.ts'
import type { Backups, Collecting, Store } from '../../store/store.ts'
import type { DeskCookie } from '../contract/cookies.ts'
import type { DeskPage } from '../contract/pages.ts'
import type { DeskVisitorKind } from '../contract/visitor.ts'

declare module 'fastify' {
  interface FastifyRequest {
    desk: DeskVisitor
  }
}

/** Who asks. The server has checked it. */
export interface DeskVisitor {
  readonly by: DeskVisitorKind
  /** The hash of the session or the link. */
  readonly id: string
  /** When the session was used last, in milliseconds since 1970. */
  readonly usedAt: number
}

/** What the pages of the desk need. Each subject's file takes `(desk, parts)`. */
export interface DeskParts {
  readonly store: Store
  /** The place of the list, in words. */
  readonly place: string
  readonly backups?: Backups | undefined
  /** The list's side of taking in from Firestore. */
  readonly collecting?: Collecting | undefined
  readonly linkKey: Buffer
  readonly product: Product
  /** The origin that visitors see, without a slash at the end. */
  readonly publicUrl: string | null
  /** The folder that the build's folder is in. */
  readonly root: string
  /** Absolute; the folder of the data on this machine. */
  readonly dataDir: string
  readonly settings: DeskSettings
  /** For the commands that it starts. */
  readonly env: NodeJS.ProcessEnv
  readonly log: FastifyBaseLogger
  /** Sends events to open pages. */
  readonly live: Live
  readonly cookie: DeskCookie
  /** Answers with a page. @param status of the answer, 200 if not given. */
  show(request: FastifyRequest, reply: FastifyReply, page: DeskPage, status?: number): FastifyReply
}

export interface Live {
  /** Adds a topic that pages can listen to: `GET /desk/events?of=<name>`. */
  topic<T>(name: string, source: LiveSource<T>): void
  /**
   * Adds a family of topics: `?of=<family>:<name>`. A topic without listeners takes no memory.
   *
   * @param sourceOf gives `undefined` for what cannot be a name.
   */
  topics<T>(family: string, sourceOf: (name: string) => LiveSource<T> | undefined): void
  /** Adds the route. */
  route(desk: FastifyInstance): void
}

/**
 * The source of a topic. Its state is sent whole: at once, after each write to the store, and now
 * and then. It is read once for all listeners.
 */
export interface LiveSource<T> {
  /** May throw StoreUnavailable: listeners are told that the store is away. */
  readonly read: () => Promise<T>
  /** How soon it may change without a write, in milliseconds. */
  readonly againMs?: (last: T) => number
}

/** Thrown by a handler that cannot do what was asked: the desk answers with a page that says why. */
export class DeskProblem extends Error {
  readonly status: number
  readonly title: string

  /** @param status of the answer. @param title and text as the operator reads them. */
  constructor(status: number, title: string, text: string) {
    super(text)
    this.status = status
    this.title = title
  }
}
