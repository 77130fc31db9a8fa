import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../announcement/refusal.ts'
import { refusalInWords } from '../../report/makers/refusal.ts'
import { languageCode } from '../../shared/language-code.ts'
import { Refused } from '../../shared/refused.ts'
import { say } from '../../shared/say.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import { inLanguage, isRunning, type LetterProgress } from '../contract/letters.ts'
import { deskPaths } from '../contract/pages.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { letterFrameHeaders } from './letters/frame-headers.ts'
import { type LetterDesk, letterDesk, readWhole } from './letters/letter-desk.ts'
import { isLetterName } from './letters/letter-folder.ts'
import { formAgain, formOf, newForm, saveForm } from './letters/letter-form.ts'
import { letterPages, mimeIn } from './letters/letter-page.ts'
import { lettersPage } from './letters/letters-page.ts'
import { sendLetter, stopLetter } from './letters/send-letter.ts'
import { isStage, readSending } from './letters/sending-settings.ts'
import { isOpen } from './letters/standing.ts'
import { type DeskParts, DeskProblem } from './parts.ts'

type Named = { Params: { name: string } }
type Asked = { readonly params: Named['Params']; readonly query: unknown }

/** Its speed, and the end of its process, change without a change of the store. */
const RUNNING_MS = 1000
/** Another tab or the command line may begin. */
const STILL_MS = 5000

const STORE_AWAY = 'Nothing can be read or written now, so nothing was saved. Try again.'

const pathOf = (name: string) => `${deskPaths.letters}/${name}`

const noSuchLetter = () => new DeskProblem(404, say('There is no such letter'), '')

/** The letter that a request is about. @throws DeskProblem for what can be no name of one. */
function nameIn({ params: { name } }: Pick<Asked, 'params'>): string {
  if (isLetterName(name)) return name
  throw noSuchLetter()
}

const one = `${deskPaths.letters}/:name`

/** `/desk/letters` and beneath: writing, looking, checking, sending and stopping. */
export function letters(inside: FastifyInstance, parts: DeskParts) {
  const desk = letterDesk(parts)
  const pages = letterPages(desk)
  parts.live.topics<LetterProgress>('letter', (name) =>
    isLetterName(name)
      ? {
          read: () => pages.progress(name),
          againMs: ({ state }) => (isRunning(state) ? RUNNING_MS : STILL_MS),
        }
      : undefined,
  )

  async function letterPage(request: FastifyRequest, reply: FastifyReply, error?: string) {
    const { name } = request.params as Named['Params']
    const language = fieldsOf(request.query)('language')
    const page = isLetterName(name) ? await pages.page(name, error, language) : undefined
    if (!page)
      throw new DeskProblem(404, say('There is no such letter'), say('It may have been removed.'))
    return parts.show(request, reply, page, error ? 409 : 200)
  }

  inside.get<Named>(one, letterPage)
  writing(inside, desk)
  files(inside, desk)
  deeds(inside, desk, letterPage)
  inside.post<Named>(`${one}/remove`, removing(desk, letterPage))
}

/** The list of letters, and the forms in which they are written. */
function writing(inside: FastifyInstance, desk: LetterDesk) {
  const { show } = desk
  inside.get(deskPaths.letters, async (request, reply) =>
    show(request, reply, await lettersPage(desk)),
  )

  inside.get(`${deskPaths.letters}/new`, async (request, reply) =>
    show(request, reply, newForm(desk, fieldsOf(request.query)('copy'))),
  )

  inside.post(deskPaths.letters, async (request, reply) => {
    const fields = fieldsOf(request.body)
    try {
      const { name, code } = await saveForm(desk, fields)
      return reply.redirect(pathOf(name) + inLanguage(code), 303)
    } catch (error) {
      // The form comes back with the typed text.
      if (error instanceof StoreUnavailable)
        return show(request, reply, formAgain(desk, fields, say(STORE_AWAY)), 503)
      if (!(error instanceof OperatorError)) throw error
      return show(request, reply, formAgain(desk, fields, error.message), 409)
    }
  })

  inside.get<Named>(`${one}/edit`, async (request, reply) => {
    const name = nameIn(request)
    const form = formOf(desk, name, fieldsOf(request.query)('language'))
    if (!form) throw noSuchLetter()
    if (!isOpen(await desk.standingOf(name))) return reply.redirect(pathOf(name), 303)
    return show(request, reply, form)
  })
}

/** What a letter looks like, and files of it. */
function files(inside: FastifyInstance, desk: LetterDesk) {
  /** The message of the letter, or of a translation, that is asked for. */
  async function mimeAsked(asked: Asked): Promise<Buffer> {
    const whole = readWhole(desk, nameIn(asked))
    const mime = whole && (await mimeIn(desk, whole, languageIn(asked.query)))
    if (!mime) throw noSuchLetter()
    return mime
  }

  inside.get<Named & { Querystring: { scheme?: unknown } }>(
    `${one}/html`,
    async (request, reply) => {
      const mime = await mimeAsked(request)
      const { shownHtml } = await import('./letters/letter-look.ts')
      const html = await shownHtml(mime, request.query.scheme === 'dark' ? 'dark' : 'light')
      return reply
        .headers(letterFrameHeaders)
        .removeHeader('origin-agent-cluster')
        .type('text/html; charset=utf-8')
        .send(html)
    },
  )

  inside.get<Named>(`${one}/letter.eml`, async (request, reply) => {
    const mime = await mimeAsked(request)
    return reply
      .headers({ ...letterFrameHeaders, ...asFile(`${stemOf(request)}.eml`) })
      .type('message/rfc822')
      .send(mime)
  })

  inside.get<Named>(`${one}/letter.md`, async (request, reply) => {
    const kept = desk.folder.read(nameIn(request), languageIn(request.query))
    if (!kept) throw noSuchLetter()
    return reply
      .headers({ ...letterFrameHeaders, ...asFile(`${stemOf(request)}.md`) })
      .type('text/markdown; charset=utf-8')
      .send(kept.source)
  })
}

type LetterPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  error?: string,
) => Promise<FastifyReply>

/** What is done with a letter. */
function deeds(inside: FastifyInstance, desk: LetterDesk, letterPage: LetterPage) {
  const act = acting(letterPage)

  inside.post<Named>(
    `${one}/check`,
    act(async (name, fields) => {
      const sending = readSending(fields)
      if (sending.mistakes.length > 0) throw new OperatorError(sending.mistakes.join('\n'))
      const { checkAll } = await import('./letters/check-letter.ts')
      await checkAll(desk, name, sending)
    }),
  )

  inside.post<Named>(
    `${one}/test`,
    act(async (name, fields) => {
      const { testLetter } = await import('./letters/test-letter.ts')
      await testLetter(desk, {
        name,
        to: readEmail(fields('to').trim()),
        isForced: fields('force') === 'on',
        sending: readSending(fields),
      })
    }),
  )

  inside.post<Named>(
    `${one}/send`,
    act((name, fields) => {
      const stage = fields('stage')
      if (!isStage(stage)) throw new OperatorError(say('That is no stage.'))
      return sendLetter(desk, name, {
        stage,
        people: fields('people').trim(),
        // Without a number it is no run.
        run: Number.parseInt(fields('run'), 10),
        version: fields('version'),
        isForced: fields('force') === 'on',
        isGoingOn: fields('goOn') === 'on',
        checkedAt: fields('checkedAt'),
        sending: readSending(fields),
      })
    }),
  )

  inside.post<Named>(
    `${one}/stop`,
    act((name) => stopLetter(desk, name)),
  )
}

/** Does something with a letter, then redirects to its page, so that a reload repeats nothing. */
const acting =
  (letterPage: LetterPage) =>
  (work: (name: string, fields: Fields) => Promise<unknown>) =>
  async (request: FastifyRequest<Named>, reply: FastifyReply) => {
    const name = nameIn(request)
    try {
      await work(name, fieldsOf(request.body))
    } catch (error) {
      if (error instanceof Refused)
        return letterPage(request, reply, refusalInWords(error.why as Refusal))
      if (!(error instanceof OperatorError)) throw error
      return letterPage(request, reply, error.message)
    }
    return reply.redirect(pathOf(name), 303)
  }

/** Removes a letter that was never sent, or one of its translations. */
const removing =
  (desk: LetterDesk, letterPage: LetterPage) =>
  async (request: FastifyRequest<Named>, reply: FastifyReply) => {
    const name = nameIn(request)
    const asked = languageIn(request.body)
    const standing = await desk.standingOf(name)
    if (asked ? !isOpen(standing) : standing.announcement || standing.isRunning)
      return letterPage(
        request,
        reply,
        say('A letter that was sent cannot be removed, since people have it.'),
      )
    const { translations = [] } = readWhole(desk, name) ?? {}
    // The translations first: alone they would be those of the next letter of this name.
    for (const { code } of translations)
      if (asked === undefined || code === asked) desk.folder.remove(name, code)
    if (asked !== undefined) return reply.redirect(pathOf(name), 303)
    desk.folder.remove(name)
    return reply.redirect(deskPaths.letters, 303)
  }

/** The language of the translation that is asked for; `undefined` for the letter itself. */
function languageIn(given: unknown): string | undefined {
  const said = fieldsOf(given)('language')
  if (said === '') return undefined
  const code = languageCode(said)
  if (code === undefined) throw noSuchLetter()
  return code
}

/** The name of a letter's file without its end, such as `launch.de`. */
function stemOf({ params: { name }, query }: Asked): string {
  const code = languageIn(query)
  return code ? `${name}.${code}` : name
}

const asFile = (name: string) => ({ 'content-disposition': `attachment; filename="${name}"` })
