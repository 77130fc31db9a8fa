import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import product from '../../product.config.ts'
import { announce } from '../../src/announcement/announce.ts'
import { addressIds } from '../../src/keys/address-id.ts'
import { keptLinkKey } from '../../src/keys/link-key.ts'
import { letterDigest, parseLetter } from '../../src/mail/letter/letter.ts'
import { messages } from '../../src/mail/letter/message.ts'
import { smtpMailer } from '../../src/mail/smtp-mailer.ts'
import { site } from '../../src/site/site.ts'
import { openStore } from '../../src/store/open-store.ts'
import { figure, ratio } from '../figures.ts'
import { start, workFolder } from '../processes.ts'
import type { Findings } from '../report.ts'

const SUBSCRIBERS = 2000
const CONNECTIONS = 5
const UNLIMITED = 1e9

const letterText = `---
subject: We are live
from: The team <team@example.org>
---
# Come in

The doors are open, and you are among the first.
`

/** Messages a second: an announcement with its ledger, and nodemailer alone to the same server. */
export async function measureAnnouncements(rounds: number): Promise<Findings> {
  const mail = await start(process.execPath, [join(import.meta.dirname, 'mail-server.ts')], {
    ready: / is open at (\S+)/,
  })
  const url = mail.ready[1] as string
  const dataDir = join(workFolder, 'announcements')
  mkdirSync(dataDir)
  const linkKey = keptLinkKey(dataDir)
  const { appId } = product
  const options = { kind: 'sqlite', dataDir, appId, linkKey, log: console.error } as const
  const { store } = await openStore(options)
  const emails = Array.from({ length: SUBSCRIBERS }, (_, n) => `visitor${n}@example.com`)
  await Promise.all(emails.map((email) => store.add(email)))

  const read = parseLetter(letterText)
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  const { letter } = read
  // About as large as the logo in letters.
  const logo = readFileSync(join(site.public, 'apple-touch-icon.png'))
  const messageFor = (announcement: string) =>
    messages({
      ...{ letter, product, logo, linkKey, announcement },
      unsubscribeUrl: 'https://example.org/unsubscribe',
    })

  async function ours(id: string) {
    const mailer = smtpMailer({ url, connections: CONNECTIONS })
    const end = await announce({
      ...{ store, mailer, id, message: messageFor(id), rate: UNLIMITED, stopShare: 0 },
      alsoWhoGot: 'all',
      letter: { subject: letter.subject, digest: letterDigest(letter) },
      holder: { owner: randomUUID(), host: 'bench', pid: process.pid },
      signal: new AbortController().signal,
      on: { settled() {}, enlisting() {}, begun() {}, result() {}, waiting() {} },
    })
    mailer.close()
    if (end.why !== 'done') throw new Error(`The announcement ended as ${end.why}.`)
  }

  const ids = addressIds(linkKey)
  async function nodemailerAlone(id: string) {
    const pool = { pool: true, maxConnections: CONNECTIONS, ignoreTLS: true } as const
    const transport = createTransport({ url, ...pool })
    const message = messageFor(id)
    await Promise.all(
      emails.map((email) => {
        const { pictures, replyTo: _, ...rest } = message({ email, addressId: ids.of(email) })
        const attachments = pictures.map(({ cid, png }) => ({ cid, content: png }))
        return transport.sendMail({ ...rest, attachments })
      }),
    )
    transport.close()
  }

  const rates = { ours: [] as number[], alone: [] as number[] }
  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const [side, send] of [
      ['alone', nodemailerAlone],
      ['ours', ours],
    ] as const) {
      const started = performance.now()
      await send(`round-${round}`)
      if (round > 0) rates[side].push((SUBSCRIBERS * 1000) / (performance.now() - started))
    }
  await store.close()
  await mail.stop()
  return {
    rows: [
      { what: 'announcement, each message in the ledger', figure: figure(rates.ours), unit: '/s' },
      { what: 'nodemailer alone, the same messages', figure: figure(rates.alone), unit: '/s' },
      {
        what: 'announcement over nodemailer',
        figure: ratio(rates.ours, rates.alone),
        unit: '×',
        budget: { must: 0.8, aim: 0.9, better: 'more' },
      },
    ],
  }
}
