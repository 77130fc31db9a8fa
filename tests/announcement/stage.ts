import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import {
  type AnnounceEvents,
  type AnnounceOptions,
  announce,
} from '../../src/announcement/announce.ts'
import { messages } from '../../src/announcement/message.ts'
import type { Patience } from '../../src/announcement/patience.ts'
import type { Mailer } from '../../src/mail/mailer.ts'
import { smtpMailer } from '../../src/mail/smtp-mailer.ts'
import { sqliteStore } from '../../src/store/sqlite-store.ts'
import { people } from '../contracts/people.ts'
import { ids, linkKey } from '../keys.ts'
import { type Behaviour, startRelay } from '../mail/relay.ts'

const letter = {
  subject: 'We are live',
  preview: '',
  from: 'team@example.org',
  replyTo: undefined,
  markdown: 'Hello',
}

/** Tells nobody. */
export const quiet: AnnounceEvents = {
  settled: () => {},
  enlisting: () => {},
  begun: () => {},
  result: () => {},
  waiting: () => {},
}

/** Waits for as little as it can, and is as stubborn as the real one. */
export const quick: Patience = {
  backOff: 1,
  mostBackOff: 5,
  tries: 4,
  pause: 1,
  mostPause: 5,
  failedConnections: 5,
  deferrals: 20,
  poll: 2,
  store: 5_000,
}

/** Everything an announcement needs, on a real store and a real mail server. */
export async function setStage(count: number, behaviour?: (address: string) => Behaviour) {
  const dir = mkdtempSync(join(tmpdir(), 'opening-bell-'))
  const file = join(dir, 'store.sqlite')
  const open = () => sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  const store = open()
  for (let i = 0; i < count; i += 500) await store.importAll(people(count).slice(i, i + 500))
  const relay = await startRelay(behaviour)
  const mailer = smtpMailer({
    url: relay.url,
    timeouts: { connect: 20_000, silence: 3_000, message: 20_000 },
  })
  onTestFinished(async () => {
    mailer.close()
    await relay.close()
    await store.close()
    rmSync(dir, { recursive: true })
  })

  const message = messages({
    ...{ letter, product, linkKey },
    logo: Buffer.from('png'),
    unsubscribeUrl: 'http://127.0.0.1/unsubscribe',
    announcement: 'launch',
  })

  return {
    file,
    store,
    mailer,
    relay,
    message,
    /** The mailer, one message at a time, each after `before`. */
    oneByOne: (before: (to: string) => Promise<unknown>): Mailer => ({
      ...mailer,
      connections: 1,
      async send(mail) {
        await before(mail.to)
        return mailer.send(mail)
      },
    }),
    /** One run, as another process would do it; it ends with its balance. */
    async run(options: Partial<AnnounceOptions> = {}) {
      const end = await announce({
        ...{ store, mailer, message, on: quiet, patience: quick, rate: 1e6, stopShare: 1 },
        id: 'launch',
        letter: { subject: letter.subject, digest: 'one' },
        holder: { owner: randomUUID(), host: 'here', pid: process.pid },
        signal: new AbortController().signal,
        ...options,
      })
      if (end.why === 'locked') throw new Error('it was locked')
      return end
    },
    /** Whom the mail server said yes for, each time it did. */
    inboxes: () => relay.accepted.map(({ to }) => to),
  }
}
