import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { askOf } from '../../shared/product.ts'
import { replyIn } from '../../shared/reply.ts'
import type { ListedSubscriber } from '../../store/subscriber-list.ts'
import { exportList, type WriteText } from '../../tables/export-list.ts'
import type { ExportFormat } from '../../tables/format-names.ts'
import { encoded } from '../../tables/formats.ts'
import { deskPaths } from '../contract/pages.ts'
import { fieldsOf } from './fields.ts'
import type { DeskParts } from './parts.ts'
import { filterIn, wantedBy } from './people-filter.ts'

/** The list as a file, by the code of the command `export`, with the filters of the page. */
export function peopleExport(desk: FastifyInstance, { store, product, log }: DeskParts) {
  desk.post(`${deskPaths.people}/export`, async (request, reply) => {
    const field = fieldsOf(request.body)
    const wanted = wantedBy(filterIn(field), askOf(product)?.kind)
    const { part, source, standing, isReply, since, until } = wanted
    const format = field('export') === 'excel' ? 'excel' : 'csv'

    const isMeant = (one: ListedSubscriber) =>
      (part === undefined || one.email.includes(part)) &&
      (!isReply || isReply(replyIn(one.extra) ?? '')) &&
      (source === undefined || one.source?.source === source)
    const file = new PassThrough()
    const writing = exportList(
      store,
      {
        format,
        all: field('all') === 'on' || standing !== undefined,
        range: { ...(since && { since }), ...(until && { until }) },
        ...(standing && { standing }),
        ...((part !== undefined || source !== undefined || isReply) && { isMeant }),
      },
      into(file, format),
    )
    // A store that is away is told by a page. Once the file has begun, an error cuts it off.
    await Promise.race([writing, once(file, 'readable')])
    writing.then(
      () => file.end(),
      (error) => {
        if (!file.destroyed) log.error({ err: error }, 'an export ended before its end')
        file.destroy(error as Error)
      },
    )
    return reply
      .type(`text/csv; charset=${format === 'excel' ? 'utf-16le' : 'utf-8'}`)
      .header('content-disposition', `attachment; filename="${nameOf(product.name)}"`)
      .send(file)
  })
}

/** Waits for the browser to read; gives up when it leaves. */
function into(file: PassThrough, format: ExportFormat): WriteText {
  return async (text) => {
    if (file.destroyed) throw new Error('the browser has left')
    if (file.write(encoded(text, format))) return
    const left = new AbortController()
    const { signal } = left
    try {
      await Promise.race([once(file, 'drain', { signal }), once(file, 'close', { signal })])
    } finally {
      left.abort()
    }
  }
}

function nameOf(product: string): string {
  const name = product
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  const day = new Date().toISOString().slice(0, 10)
  return `${[name, 'people', day].filter(Boolean).join('-')}.csv`
}
