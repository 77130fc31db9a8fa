import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Product } from '../../shared/product.ts'
import type { Backups } from '../../store/backups.ts'
import type { StoreKind } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import type { deskCookies } from '../contract/cookies.ts'
import type { DeskPage } from '../contract/pages.ts'
import type { DeskVisitorKind } from '../contract/visitor.ts'

declare module 'fastify' {
  interface FastifyRequest {
    desk: DeskVisitor
  }
}

/** Who asks. The server has looked into it before. */
export interface DeskVisitor {
  readonly by: DeskVisitorKind
  /** Of the session, the link or the device: a hash. */
  readonly id: string
  /** Of a session, in milliseconds since 1970. */
  readonly usedAt: number
}

/** What the pages of the desk are made with. Each subject's file takes `(desk, parts)`. */
export interface DeskParts {
  readonly store: Store
  readonly storeKind: StoreKind
  /** Where the subscribers are kept, in words. */
  readonly place: string
  /** `undefined` where the store's own keeper makes copies. */
  readonly backups: Backups | undefined
  readonly linkKey: Buffer
  readonly product: Product
  /** The origin that visitors see, without a slash at the end. */
  readonly publicUrl: string | null
  /** Absolute; for `sqlite`, the folder of what is kept on this machine. */
  readonly dataDir: string
  /** The server's environment, which has the settings of mail. */
  readonly env: NodeJS.ProcessEnv
  readonly log: FastifyBaseLogger
  /** Lets open pages hear of what happens. */
  readonly live: Live
  readonly cookies: ReturnType<typeof deskCookies>
  /** Answers with a page. @param status of the answer, 200 if not given. */
  show(request: FastifyRequest, reply: FastifyReply, page: DeskPage, status?: number): FastifyReply
}

export interface Live {
  /** Lets pages hear of something: `GET /desk/events?of=<name>`. */
  topic<T>(name: string, source: LiveSource<T>): void
  /**
   * The same for each of many: `?of=<family>:<name>`. One that nobody hears takes no memory.
   *
   * @param sourceOf gives `undefined` for what cannot be a name.
   */
  topics<T>(family: string, sourceOf: (name: string) => LiveSource<T> | undefined): void
  /** Adds the route. */
  route(desk: FastifyInstance): void
}

/**
 * What pages hear of. What it reads is sent whole: at once, after whatever somebody wrote, and every so
 * often. However many listen, it is read once.
 */
export interface LiveSource<T> {
  /** May throw StoreUnavailable: whoever listens is told that it is away. */
  readonly read: () => Promise<T>
  /** How soon it may be another without anybody writing, in milliseconds. */
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
