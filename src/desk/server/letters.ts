import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countRun, recipients } from '../../announcement/outlook.ts'
import type { Refusal } from '../../announcement/refusal.ts'
import { Refused } from '../../shared/refused.ts'
import type { DeliveryLedger } from '../../store/delivery-ledger.ts'
import type { Store } from '../../store/store.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { deliveryLine } from '../../terminal/delivery-line.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import { plain, printable } from '../../terminal/style.ts'
import { isRunning, type LetterProgress } from '../contract/letters.ts'
import { deskPaths } from '../contract/pages.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { checkAll } from './letters/check-letter.ts'
import { letterDesk, mailOfDesk, usable } from './letters/letter-desk.ts'
import { isLetterName } from './letters/letter-folder.ts'
import { formAgain, formOf, newForm, saveForm } from './letters/letter-form.ts'
import { letterFrameHeaders, letterMime, shownHtml } from './letters/letter-look.ts'
import { isOpen, letterPages } from './letters/letter-page.ts'
import { lettersPage } from './letters/letters-page.ts'
import { refusalShown } from './letters/run-words.ts'
import { sendLetter, stopLetter } from './letters/send-letter.ts'
import { isStage, readSending, selectionOf } from './letters/sending-settings.ts'
import { testLetter } from './letters/test-letter.ts'
import { uploads } from './letters/uploads.ts'
import { type DeskParts, DeskProblem } from './parts.ts'

type Named = { Params: { name: string } }

/**
 * A run's speed, its start and its end are only in its log, so the store's changes do not tell of
 * them.
 */
const RUNNING_MS = 1000
/** Another tab or the command line may begin. */
const STILL_MS = 5000

const STORE_AWAY = 'Nothing can be read or written now, so nothing was saved. Try again.'

const pathOf = (name: string) => `${deskPaths.letters}/${name}`

/** `/desk/letters` and beneath: writing, looking, checking, sending and stopping. */
export function letters(inside: FastifyInstance, parts: DeskParts) {
  const { show, store, product, linkKey, live } = parts
  const desk = letterDesk(parts)
  const pages = letterPages(desk)
  uploads(inside)

  const one = `${deskPaths.letters}/:name`
  live.topics<LetterProgress>('letter', (name) =>
    isLetterName(name)
      ? {
          read: () => pages.progress(name),
          againMs: ({ state }) => (isRunning(state) ? RUNNING_MS : STILL_MS),
        }
      : undefined,
  )

  async function letterPage(request: FastifyRequest, reply: FastifyReply, error?: string) {
    const { name } = request.params as Named['Params']
    const page = isLetterName(name) ? await pages.page(name, error) : undefined
    if (!page) throw new DeskProblem(404, 'There is no such letter', 'It may have been removed.')
    return show(request, reply, page, error ? 409 : 200)
  }

  /** Does something with a letter, then redirects to its page, so that a reload repeats nothing. */
  const act =
    (work: (name: string, fields: Fields) => Promise<unknown>) =>
    async (request: FastifyRequest<Named>, reply: FastifyReply) => {
      const { name } = request.params
      if (!isLetterName(name)) throw new DeskProblem(404, 'There is no such letter', '')
      try {
        await work(name, fieldsOf(request.body))
      } catch (error) {
        if (error instanceof Refused)
          return letterPage(request, reply, refusalShown(error.why as Refusal))
        if (!(error instanceof OperatorError)) throw error
        return letterPage(request, reply, error.message)
      }
      return reply.redirect(pathOf(name), 303)
    }

  inside.get(deskPaths.letters, async (request, reply) =>
    show(request, reply, await lettersPage(desk)),
  )

  inside.get(`${deskPaths.letters}/new`, async (request, reply) =>
    show(request, reply, newForm(desk, fieldsOf(request.query)('copy'))),
  )

  inside.post(deskPaths.letters, async (request, reply) => {
    const fields = fieldsOf(request.body)
    try {
      return reply.redirect(pathOf(await saveForm(desk, fields)), 303)
    } catch (error) {
      // The form comes back with the typed text.
      if (error instanceof StoreUnavailable)
        return show(request, reply, formAgain(desk, fields, STORE_AWAY), 503)
      if (!(error instanceof OperatorError)) throw error
      return show(request, reply, formAgain(desk, fields, error.message), 409)
    }
  })

  inside.get<Named>(one, letterPage)

  inside.get<Named>(`${one}/edit`, async (request, reply) => {
    const { name } = request.params
    const form = isLetterName(name) ? formOf(desk, name) : undefined
    if (!form) throw new DeskProblem(404, 'There is no such letter', '')
    if (!isOpen(await desk.freshStandingOf(name))) return reply.redirect(pathOf(name), 303)
    return show(request, reply, form)
  })

  const mimeOfLetter = (name: string) => {
    const { letter } = usable(desk, name)
    const { unsubscribeUrl } = mailOfDesk(desk).settings ?? {}
    return letterMime({ letter, name, product, linkKey, unsubscribeUrl, root: desk.root })
  }

  inside.get<Named & { Querystring: { scheme?: unknown } }>(
    `${one}/html`,
    async ({ params, query }, reply) => {
      const mime = await orNothing(() => mimeOfLetter(params.name))
      const html = await shownHtml(mime, query.scheme === 'dark' ? 'dark' : 'light')
      return reply
        .headers(letterFrameHeaders)
        .removeHeader('origin-agent-cluster')
        .type('text/html; charset=utf-8')
        .send(html)
    },
  )

  inside.get<Named>(`${one}/letter.eml`, async ({ params }, reply) =>
    reply
      .headers({ ...letterFrameHeaders, ...asFile(`${params.name}.eml`) })
      .type('message/rfc822')
      .send(await orNothing(() => mimeOfLetter(params.name))),
  )

  inside.get<Named>(`${one}/letter.md`, async ({ params }, reply) => {
    const { source } = desk.folder.read(params.name) ?? {}
    if (source === undefined) throw new DeskProblem(404, 'There is no such letter', '')
    return reply
      .headers({ ...letterFrameHeaders, ...asFile(`${params.name}.md`) })
      .type('text/markdown; charset=utf-8')
      .send(source)
  })

  inside.get<Named>(`${one}/not-sent.txt`, async ({ params }, reply) => {
    const { name } = params
    if (!isLetterName(name) || !(await store.ledger.findAnnouncement(name)))
      throw new DeskProblem(404, 'There is no such announcement', '')
    return asText(reply, `${name}-not-sent.txt`, notSent(store.ledger, name))
  })

  inside.get<Named>(`${one}/recipients.txt`, async ({ params, query }, reply) => {
    const { name } = params
    if (!isLetterName(name)) throw new DeskProblem(404, 'There is no such letter', '')
    const fields = fieldsOf(query)
    const stage = fields('stage')
    const { settings } = readSending(fields)
    const selection = selectionOf(name, isStage(stage) ? stage : 'everyone', settings.alsoWhoGot)
    return asText(reply, `${name}-recipients.txt`, addresses(store, selection))
  })

  inside.post<Named>(
    `${one}/check`,
    act(async (name, fields) => {
      const sending = readSending(fields)
      if (sending.mistakes.length > 0) throw new OperatorError(sending.mistakes.join('\n'))
      await checkAll(desk, name, sending)
    }),
  )

  inside.post<Named>(
    `${one}/test`,
    act((name, fields) =>
      testLetter(desk, {
        name,
        to: readEmail(fields('to').trim()),
        isForced: fields('force') === 'on',
        sending: readSending(fields),
      }),
    ),
  )

  inside.post<Named>(
    `${one}/send`,
    act((name, fields) => {
      const stage = fields('stage')
      if (!isStage(stage)) throw new OperatorError('That is no stage.')
      return sendLetter(desk, name, {
        stage,
        people: fields('people').trim(),
        // Without a number it is no run.
        run: Number.parseInt(fields('run'), 10),
        version: fields('version'),
        isForced: fields('force') === 'on',
        sending: readSending(fields),
      })
    }),
  )

  inside.post<Named>(
    `${one}/stop`,
    act((name) => stopLetter(desk, name)),
  )

  inside.post<Named>(`${one}/remove`, async (request, reply) => {
    const { name } = request.params
    if (!isLetterName(name)) throw new DeskProblem(404, 'There is no such letter', '')
    const { announcement, engine } = await desk.freshStandingOf(name)
    if (announcement || engine)
      return letterPage(
        request,
        reply,
        'A letter that was sent cannot be removed, since people have it.',
      )
    desk.folder.remove(name)
    return reply.redirect(deskPaths.letters, 303)
  })
}

const asFile = (name: string) => ({ 'content-disposition': `attachment; filename="${name}"` })

/** Answers 404 where the letter of this address is missing. */
async function orNothing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    throw new DeskProblem(404, 'There is no such letter', error.message)
  }
}

function asText(reply: FastifyReply, name: string, lines: AsyncIterable<string>) {
  return reply
    .headers(asFile(name))
    .type('text/plain; charset=utf-8')
    .send(Readable.from(lines, { objectMode: true, highWaterMark: 64 }))
}

async function* addresses(store: Store, selection: Parameters<typeof countRun>[1]) {
  for await (const { email } of recipients(store, selection, await countRun(store, selection)))
    yield `${email}\n`
}

async function* notSent(ledger: DeliveryLedger, name: string) {
  for await (const row of ledger.deliveries(name))
    if (row.status !== 'sent') yield printable(deliveryLine(row, { style: plain }))
}
