import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  countdownBeside,
  OPENS_NO_MORE,
  openingSentences,
  type ReadOpening,
  readOpening,
  STAYS_IN_TABS,
} from '../../opening/read-opening.ts'
import { isTimeZone } from '../../shared/time-zone.ts'
import { wallText } from '../../shared/zoned-time.ts'
import { isOpen, type Opening } from '../../store/opening.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import type {
  OpeningFields,
  OpeningMistake,
  OpeningPage,
  OpeningSurePage,
} from '../contract/opening.ts'
import { deskPaths } from '../contract/pages.ts'
import { fieldsOf } from './fields.ts'
import { markOf, openingStateOf, untilOpen } from './opening-state.ts'
import type { DeskParts } from './parts.ts'

const MOVED =
  'The opening was changed meanwhile, in another tab or at a terminal. Look at it, and begin again.'

const CLOSES = `The page will say Coming Soon again. ${STAYS_IN_TABS}`

const NOT_WRITTEN =
  'The opening cannot be written now, perhaps because the disk is full. Check what is set, and try again.'

/** `/desk/opening`: whether the page is open, and when; set and taken back as the command `open` does. */
export function opening(
  desk: FastifyInstance,
  { store, product, publicUrl, show, live }: DeskParts,
) {
  const at = (path = '') => deskPaths.opening + path
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  const state = async () => openingStateOf(await store.opening.get(), product, new Date())
  live.topic('opening', { read: state, againMs: ({ set }) => untilOpen(set) })

  async function form(
    request: FastifyRequest,
    reply: FastifyReply,
    typed?: { readonly fields: OpeningFields; readonly mistake: OpeningMistake },
  ) {
    const found = await store.opening.get()
    const now = new Date()
    const fields = typed?.fields ?? fieldsFor(found, now)
    const others = isTimeZone(fields.zone) && !zones.includes(fields.zone) ? [fields.zone] : []
    const page: OpeningPage = {
      page: 'opening',
      state: openingStateOf(found, product, now),
      fields,
      zones: [...others, ...zones],
      ...(typed && { mistake: typed.mistake }),
    }
    return show(request, reply, page, typed ? 422 : 200)
  }

  /** What a form asks for, compared with what is set now. */
  async function wanted(request: FastifyRequest) {
    const fields = typedIn(request)
    const before = await store.opening.get()
    const now = new Date()
    const { url, when, zone } = fields
    const time = when === 'at' ? { at: fields.at, zone } : isTimeZone(zone) && { ownZone: zone }
    const read = readOpening(before, { url, publicUrl, ...time }, now)
    return { fields, before, now, read }
  }

  desk.get(at(), (request, reply) => form(request, reply))

  /** The first of two steps: says what would be set, and asks for confirmation. */
  desk.post(at('/look'), async (request, reply) => {
    const { fields, before, now, read } = await wanted(request)
    if (isAlreadySo(before, read, fields, now)) return reply.redirect(at(), 303)
    if ('mistake' in read) return form(request, reply, { fields, mistake: mistakeOf(read, fields) })
    return show(request, reply, sure(read.opening, fields, before, now))
  })

  /** The second step: does it, if nothing changed meanwhile. Pressed twice, it is done once. */
  desk.post(at(), async (request, reply) => {
    const { fields, before, now, read } = await wanted(request)
    const given = fieldsOf(request.body)
    if (isAlreadySo(before, read, fields, now)) return reply.redirect(at(), 303)
    if ('mistake' in read) return form(request, reply, { fields, mistake: mistakeOf(read, fields) })
    const page = sure(read.opening, fields, before, now)
    const refuse = (error: string) => show(request, reply, { ...page, error }, 409)
    if (given('mark') !== page.mark) return refuse(MOVED)
    if (given('word').trim().toLowerCase() !== page.word)
      return refuse(`Type ${page.word}, where the button will lead. Nothing was changed.`)
    if (!(await isWritten(store.opening.set(read.opening)))) return refuse(NOT_WRITTEN)
    return reply.redirect(at(), 303)
  })

  desk.get(at('/undo'), async (request, reply) => {
    const found = await store.opening.get()
    if (!found) return reply.redirect(at(), 303)
    return show(request, reply, undoPage(found, new Date()))
  })

  desk.post(at('/undo'), async (request, reply) => {
    const found = await store.opening.get()
    if (!found) return reply.redirect(at(), 303)
    const page = undoPage(found, new Date())
    if (fieldsOf(request.body)('mark') !== page.mark)
      return show(request, reply, { ...page, error: MOVED }, 409)
    if (!(await isWritten(store.opening.undo())))
      return show(request, reply, { ...page, error: NOT_WRITTEN }, 409)
    return reply.redirect(at(), 303)
  })

  function sure(
    next: Opening,
    fields: OpeningFields,
    before: Opening | undefined,
    now: Date,
  ): OpeningSurePage {
    const isNow = isOpen(next, now)
    const isLed = isNow && before !== undefined && isOpen(before, now)
    const beside = isNow ? undefined : countdownBeside(next, product)
    const { at, zone, url } = next
    return {
      page: 'opening-sure',
      what: isLed ? 'lead' : isNow ? 'now' : 'at',
      mark: markOf(before, now),
      url,
      at: Number(at),
      zone,
      fields,
      word: new URL(url).host,
      sentences: [
        isNow
          ? (openingSentences(next, now, product)[1] ?? '')
          : 'At that time the page opens by itself, within a second. If the server is down then, the page opens when it starts.',
        ...(beside ? [beside] : []),
        'Sign-ups go on. Opening sends no letter: the announcement does, under Letters.',
      ],
    }
  }
}

function undoPage(found: Opening, now: Date): OpeningSurePage {
  const { url, at, openedAt, zone } = found
  const isClosed = isOpen(found, now)
  return {
    page: 'opening-sure',
    what: isClosed ? 'close' : 'undo',
    mark: markOf(found, now),
    url,
    zone,
    word: '',
    at: Number(openedAt ?? at),
    sentences: [isClosed ? CLOSES : OPENS_NO_MORE],
  }
}

function typedIn(request: FastifyRequest): OpeningFields {
  const field = fieldsOf(request.body)
  return {
    url: field('url').trim(),
    when: field('when') === 'at' ? 'at' : 'now',
    at: field('at').trim(),
    zone: field('zone').trim(),
  }
}

/** The fields of the set opening, to be edited. */
function fieldsFor(found: Opening | undefined, now: Date): OpeningFields {
  if (!found) return { url: '', when: 'now', at: '', zone: '' }
  const { url, at, zone } = found
  if (isOpen(found, now)) return { url, when: 'now', at: '', zone }
  return { url, when: 'at', at: wallText(at, zone), zone }
}

/** Whether the same was just done, perhaps by the same form. */
function isAlreadySo(
  before: Opening | undefined,
  read: ReadOpening,
  { when }: OpeningFields,
  now: Date,
): boolean {
  if (!before || !('opening' in read) || before.url !== read.opening.url) return false
  if (when === 'now') return isOpen(before, now)
  return Number(before.at) === Number(read.opening.at) && before.zone === read.opening.zone
}

function mistakeOf(
  { wrong, mistake }: Exclude<ReadOpening, { opening: Opening }>,
  { at }: OpeningFields,
): OpeningMistake {
  const atTime = (text: string) => ({ field: 'at', text, isSpelt: false }) as const
  if (wrong === 'over') return atTime(`${mistake} To open it at once, choose Now.`)
  if (wrong === 'open')
    return atTime(`${mistake} To close it until then, take the opening back first.`)
  if (wrong === 'at' && at === '') return atTime('Say when.')
  return { field: wrong, text: sentenceOf(mistake), isSpelt: wrong === 'at' }
}

/** A mistake as a sentence; the command says it after the name of an option. */
function sentenceOf(mistake: string): string {
  const whole = mistake.startsWith('is ') ? `it ${mistake}` : mistake
  return whole.charAt(0).toUpperCase() + whole.slice(1)
}

/** Whether something was written; where it was not, the typed fields stay on the page. */
const isWritten = (writing: Promise<unknown>) =>
  writing.then(
    () => true,
    (error: unknown) => {
      if (error instanceof StoreUnavailable) return false
      throw error
    },
  )
