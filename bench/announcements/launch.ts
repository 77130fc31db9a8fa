import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRun } from '../../src/announcement/run/as-run.ts'
import { announce } from '../../src/announcement/tell-everyone.ts'
import { letterDigest, parseLetter } from '../../src/mail/letter/letter.ts'
import { messages } from '../../src/mail/letter/message.ts'
import { smtpMailer } from '../../src/mail/smtp-mailer.ts'
import product from '../../src/product/product.ts'
import { site } from '../../src/site/site.ts'
import type { Store } from '../../src/store/store.ts'

export const CONNECTIONS = 5

/** Messages a second. */
const UNLIMITED = { letters: 1e6, ms: 1000 }

const letterText = `---
subject: We are live
from: The team <team@example.org>
---
# Come in

The doors are open, and you are among the first.
`

const read = parseLetter(letterText)
if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
const { letter } = read

/** Makes the messages of an announcement. */
export function messageFor(announcement: string, linkKey: Buffer) {
  return messages({
    letter,
    product,
    linkKey,
    announcement,
    // About as large as the logo that letters carry.
    logo: readFileSync(join(site.public, 'apple-touch-icon.png')),
    unsubscribeUrl: 'https://example.org/unsubscribe',
  })
}

export interface LaunchOptions {
  readonly store: Store
  readonly linkKey: Buffer
  /** Of the mail server. */
  readonly url: string
  readonly id: string
  /** How many are in it. */
  readonly people: number
}

/** Tells everybody in a store. */
export async function launch({ store, linkKey, url, id, people }: LaunchOptions) {
  const mailer = smtpMailer({ url, connections: CONNECTIONS })
  const how = {
    store,
    mailer,
    id,
    message: messageFor(id, linkKey),
    rate: UNLIMITED,
    stopShare: 0,
    alsoWhoGot: 'all' as const,
    first: undefined,
    letter: { subject: letter.subject, digest: letterDigest(letter) },
    signal: new AbortController().signal,
    on: { settled() {}, enlisting() {}, begun() {}, result() {}, waiting() {} },
  }
  const begin = { owner: randomUUID(), host: 'bench', pid: process.pid, announcement: id }
  const end = await asRun(store.lock, begin, (run) => announce({ ...how, run }))
  mailer.close()
  const { sent } = end.balance.tally
  if (sent !== people)
    throw new Error(`The announcement ended as ${end.why}, and told ${sent} of ${people}.`)
}
