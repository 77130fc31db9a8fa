import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { serve } from '../../scripts/serve.ts'
import { addressIds } from '../../src/keys/address-id.ts'
import { keptLinkKey } from '../../src/keys/link-key.ts'
import product from '../../src/product/product.ts'
import { openStore } from '../../src/store/open-store.ts'
import { figure, ratio } from '../figures.ts'
import type { Findings } from '../report.ts'
import { dataFolder } from '../work-folder.ts'
import { CONNECTIONS, launch, messageFor } from './launch.ts'

const SUBSCRIBERS = 2000

/** Messages a second: an announcement with its ledger, and nodemailer alone to the same server. */
export async function measureAnnouncements(rounds: number): Promise<Findings> {
  const { url, stop } = await serve({}, [join(import.meta.dirname, 'mail-server.ts')])
  const dataDir = dataFolder('announcements')
  const linkKey = keptLinkKey(dataDir)
  const { appId } = product
  const options = { dataDir, appId, linkKey, log: console.error } as const
  const { store } = await openStore(options)
  const emails = Array.from({ length: SUBSCRIBERS }, (_, n) => `visitor${n}@example.com`)
  await Promise.all(emails.map((email) => store.list.add(email)))
  await store.inbox.takeInAll()

  const ours = (id: string) => launch({ store, linkKey, url, id, people: SUBSCRIBERS })

  const ids = addressIds(linkKey)
  async function nodemailerAlone(id: string) {
    const pool = { pool: true, maxConnections: CONNECTIONS, ignoreTLS: true } as const
    const transport = createTransport({ url, ...pool })
    const message = messageFor(id, linkKey)
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
  await stop()
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
