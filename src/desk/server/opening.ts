import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  OPENS_NO_MORE,
  openingInWords,
  openingSentences,
  type ReadOpening,
  readOpening,
  STAYS_IN_TABS,
} from '../../opening/read-opening.ts'
import { capitalized } from '../../shared/capitalized.ts'
import type { Product } from '../../shared/product.ts'
import { say } from '../../shared/say.ts'
import { ownZone } from '../../shared/time-zone.ts'
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

const NOT_WRITTEN =
  'The opening cannot be written now, perhaps because the disk is full. Check what is set, and try again.'

const at = (path = '') => deskPaths.opening + path

/** `/desk/opening`: whether the page is open, and when; set and taken back as the command `open` does. */
export function opening(desk: FastifyInstance, parts: DeskParts) {
  const { store, product, publicUrl, show, live } = parts
  const state = async () => openingStateOf(await store.opening.get(), product, new Date())
  live.topic('opening', { read: state, againMs: untilOpen })

  const form = async (request: FastifyRequest, reply: FastifyReply, typed?: Typed) =>
    show(request, reply, formPage(await store.opening.get(), product, typed), typed ? 422 : 200)

  /** Reads what a form asks for, for both steps. @param then gets what would be set, where it can be */
  async function wanted(
    request: FastifyRequest,
    reply: FastifyReply,
    then: (page: OpeningSurePage, next: Opening) => unknown,
  ) {
    const fields = typedIn(request)
    const before = await store.opening.get()
    const now = new Date()
    const read = readOpening(before, { url: fields.url, publicUrl, ...timeIn(fields) }, now)
    if (isAlreadySo(before, read, fields, now)) return reply.redirect(at(), 303)
    if ('mistake' in read) return form(request, reply, { fields, mistake: mistakeOf(read, fields) })
    return then(surePage(read.opening, product, fields, before, now), read.opening)
  }

  desk.get(at(), (request, reply) => form(request, reply))
  // The first of two steps says what would be set, and asks for confirmation.
  desk.post(at('/look'), (request, reply) =>
    wanted(request, reply, (page) => show(request, reply, page)),
  )
  desk.post(at(), (request, reply) =>
    wanted(request, reply, (page, next) =>
      act(show, request, reply, page, () => store.opening.set(next)),
    ),
  )
  type Then = (request: FastifyRequest, reply: FastifyReply, page: OpeningSurePage) => unknown
  const undoing = (then: Then) => async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await store.opening.get()
    return found
      ? then(request, reply, undoPage(found, product, new Date()))
      : reply.redirect(at(), 303)
  }
  desk.get(at('/undo'), undoing(show))
  desk.post(
    at('/undo'),
    undoing((request, reply, page) => act(show, request, reply, page, () => store.opening.undo())),
  )
}

/** Writes what was asked for, if nothing changed meanwhile. Pressed twice, it is done once. */
async function act(
  show: DeskParts['show'],
  request: FastifyRequest,
  reply: FastifyReply,
  page: OpeningSurePage,
  write: () => Promise<unknown>,
) {
  const given = fieldsOf(request.body)
  const refuse = (error: string) => show(request, reply, { ...page, error }, 409)
  if (given('mark') !== page.mark) return refuse(say(MOVED))
  if (page.word !== '' && given('word').trim().toLowerCase() !== page.word)
    return refuse(
      say('Type {word}, where the button will lead. Nothing was changed.', { word: page.word }),
    )
  if (!(await isWritten(write()))) return refuse(say(NOT_WRITTEN))
  return reply.redirect(at(), 303)
}

/** What was typed, and what is wrong with it. */
interface Typed {
  readonly fields: OpeningFields
  readonly mistake: OpeningMistake
}

function formPage(found: Opening | undefined, product: Product, typed?: Typed): OpeningPage {
  const now = new Date()
  const { fields = fieldsFor(found, now), ...mistake } = typed ?? {}
  return {
    page: 'opening',
    state: openingStateOf(found, product, now),
    fields,
    ...mistake,
  }
}

function surePage(
  next: Opening,
  product: Product,
  fields: OpeningFields,
  before: Opening | undefined,
  now: Date,
): OpeningSurePage {
  const isNow = isOpen(next, now)
  const isLed = isNow && before !== undefined && isOpen(before, now)
  return {
    page: 'opening-sure',
    what: isLed ? 'lead' : isNow ? 'now' : 'at',
    mark: markOf(before, now),
    url: next.url,
    fields,
    word: new URL(next.url).host,
    sentences: [
      ...openingSentences(next, now, product),
      ...(isNow ? [] : [say('If the server is down then, the page opens when it starts.')]),
      say('Sign-ups go on. Opening sends no letter: the announcement does, under Letters.'),
    ],
  }
}

function undoPage(found: Opening, product: Product, now: Date): OpeningSurePage {
  const isClosed = isOpen(found, now)
  return {
    page: 'opening-sure',
    what: isClosed ? 'close' : 'undo',
    mark: markOf(found, now),
    url: found.url,
    word: '',
    sentences: [
      capitalized(openingInWords(found, now, product)),
      isClosed
        ? `${say('The page will say Coming Soon again.')} ${say(STAYS_IN_TABS)}`
        : say(OPENS_NO_MORE),
    ],
  }
}

/** By the clock of the desk. */
const timeIn = ({ when, at }: OpeningFields) => (when === 'at' ? { at, zone: ownZone() } : {})

function typedIn(request: FastifyRequest): OpeningFields {
  const field = fieldsOf(request.body)
  return {
    url: field('url').trim(),
    when: field('when') === 'at' ? 'at' : 'now',
    at: field('at').trim(),
  }
}

/** The fields of the set opening, to be edited. */
function fieldsFor(found: Opening | undefined, now: Date): OpeningFields {
  if (!found) return { url: '', when: 'now', at: '' }
  const { url, at } = found
  if (isOpen(found, now)) return { url, when: 'now', at: '' }
  return { url, when: 'at', at: wallText(at, ownZone()) }
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
  return Number(before.at) === Number(read.opening.at)
}

function mistakeOf(
  { wrong, mistake }: Exclude<ReadOpening, { opening: Opening }>,
  { at }: OpeningFields,
): OpeningMistake {
  const atTime = (text: string) => ({ field: 'at', text, isSpelt: false }) as const
  if (wrong === 'over') return atTime(say('{mistake} To open it at once, choose Now.', { mistake }))
  if (wrong === 'open')
    return atTime(
      say('{mistake} To close it until then, take the opening back first.', { mistake }),
    )
  if (wrong === 'url') return { field: 'url', text: mistake, isSpelt: false }
  if (at === '') return atTime(say('Say when.'))
  return { field: 'at', text: sentenceOf(mistake), isSpelt: true }
}

/** A mistake as a sentence; the command says it after the name of an option. */
function sentenceOf(mistake: string): string {
  return capitalized(mistake.startsWith('is ') ? say('it {mistake}', { mistake }) : mistake)
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
