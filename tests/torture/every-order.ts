import { expect } from 'vitest'
import product from '../../product.config.ts'
import { confirmationKeys } from '../../src/keys/confirmation-keys.ts'
import type { Mailer } from '../../src/mail/mailer.ts'
import { letterRule } from '../../src/people/letter-rule.ts'
import { consentIn } from '../../src/people/pending.ts'
import { press } from '../../src/people/press.ts'
import type { DecideLetter } from '../../src/people/requests.ts'
import { sweep } from '../../src/server/sweep-requests.ts'
import { isTagged, mailboxOf } from '../../src/shared/address-folding.ts'
import { asking } from '../../src/sign-up/ask.ts'
import { confirmationLetter, marksOf } from '../../src/sign-up/confirmation-letter.ts'
import { ASK } from '../../src/store/delivery-ledger.ts'
import type { Store } from '../../src/store/store.ts'
import { noneOfEach } from '../../src/store/subscriber-list.ts'
import { announced } from '../fixtures/announced.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { quick, quiet } from '../fixtures/stage.ts'
import { standingCounts } from '../fixtures/standing-counts.ts'

/*
 * Everything that can happen to an address, in any order, against the few sentences that say what is
 * to come of it. Which letters leave, and which requests wait for one, is taken from what was really
 * decided; letters are held to their limits.
 */

const DAY_MS = 86_400_000
const PAUSE_MS = 15 * 60_000
/** Of a mailbox, to its addresses with a tag and to those without each. */
const MOST_LETTERS = 3
/** Of a mailbox in fourteen days: those, and one a day that is reserved for an address without a tag. */
const MOST_IN_ALL = 2 * MOST_LETTERS + 14
const emails = ['ada@gmail.com', 'ad.a@gmail.com', 'a.da+2@gmail.com', 'bob@example.com']
const networks = ['h', 'i', 'j', undefined].map((one) => one?.repeat(22))
const acts = [
  'signUp',
  'signUp',
  'add',
  'yes',
  'no',
  'code',
  'unsubscribe',
  'forget',
  'import',
].concat(
  ...['bounce', 'ask', 'ask', 'yes', 'no', 'later', 'hours'],
  ...['signUpWithSigns', 'addWithSigns', 'addWithSigns', 'release', 'erase', 'erase'],
)
const suspicion = 'hidden-field'

/** What the sentences know of an address. */
interface Person {
  isListed: boolean
  hasReceipt: boolean
  stands?: 'pending' | 'quarantined' | 'unsubscribed' | 'forgotten' | undefined
  stoodAt: number
  /** What a robot's sign-up would have lifted. */
  before?: 'pending' | 'unsubscribed' | undefined
  /** Graver than what a robot typed, and seen where nothing graver is. */
  isBounced?: boolean
  /** A file named them while they were quarantined, which weighs more than a bounce. */
  isFirm?: boolean
  letter?: Letter | undefined
  /** What waits for their answer, also where no letter of it left. */
  open?: { hasSigns: boolean; at: number } | undefined
  isAsked: boolean
  /** When they left. Only a confirmation, to be forgotten and the end of their time begin anew. */
  letters: number[]
  /** From where they were asked for. They begin anew with the letters. */
  networks: (string | undefined)[]
  /** When the last one left that is reserved each day. */
  reservedAt: number
}

interface Letter {
  last: number
  readonly isOfAsk: boolean
  yes: boolean
  no: boolean
  done?: 'button' | 'code' | undefined
}

/** What is known of letters to somebody who had none. */
const none = { letter: undefined, open: undefined, letters: [], networks: [] }

/**
 * Those of an order: all there are, and in every other order sign-ups and one more. Some faults show
 * when two take turns again and again, which among all of them is rare.
 */
export function actsOf(order: number): readonly string[] {
  const others = [...new Set(acts)]
  return order % 2 ? ['signUp', others[(order >> 1) % others.length] as string] : acts
}

/**
 * @param step lets minutes pass. @param among the acts that happen, of which one is taken each time. @returns how many letters left.
 * @throws where a sentence is not true, with the acts, for whoever wants to know which order it was
 */
export async function everyOrder(
  store: Store,
  chance: () => number,
  count: number,
  step: (minutes: number) => void,
  among: readonly string[] = acts,
) {
  const keys = confirmationKeys(linkKey)
  const people = new Map<string, Person>(
    emails.map((email) => [
      email,
      {
        isListed: false,
        hasReceipt: false,
        stoodAt: 0,
        isAsked: false,
        letters: [],
        networks: [],
        reservedAt: 0,
      },
    ]),
  )
  const story: string[] = []
  const left: { email: string; isOfAsk: boolean; at: number; network?: string | undefined }[] = []
  const mailer: Mailer = {
    connections: 1,
    check: async () => ({ roundTripMs: 0 }),
    async send({ to }) {
      left.push({ email: to, isOfAsk: isAsking, at: Date.now(), network: leaving })
      return { kind: 'accepted', answer: '250' }
    },
    close: () => {},
  }
  let isAsking = false
  /** The network that the letter was asked for from which leaves. */
  let leaving: string | undefined
  const letter = confirmationLetter({
    product,
    from: 'hello@example.com',
    confirmUrl: 'https://example.com/confirm',
    linkKey,
  })
  const decide = letterRule(marksOf(letter))
  /** Whether those had signs whose letter waits. */
  const waiting = new Map<string, { email: string; hasSigns: boolean }>()
  const waitingOf = (email: string) => [...waiting].filter(([, one]) => one.email === email)
  const rule: DecideLetter = (request, found, now) => {
    const decided = decide(request, found, now)
    const { addressId: id, email, at } = request
    const hasSigns = request.suspicion !== undefined
    waiting.delete(id)
    if (decided.dueAt) waiting.set(id, { email, hasSigns })
    if (!decided.isSent && (decided.dueAt || decided.pending))
      expect(isReserveFree(email, request.network), 'the day’s letter is withheld').toBe(false)
    const one = person(email)
    const last = decided.isSent ? Date.now() : at.getTime()
    if (decided.pending) {
      // A sign-up without signs counts, whether it came before one with signs or after it.
      one.open = { hasSigns: hasSigns && (openOf(one)?.hasSigns ?? true), at: last }
    }
    return decided
  }
  const person = (email: string) => people.get(email) as Person
  const pick = <T>(from: readonly T[]) => from[Math.floor(chance() * from.length)] as T

  /** Those whose letters count together with an address's. */
  const alikeTo = (email: string) =>
    [...people].filter(
      ([other]) => mailboxOf(other) === mailboxOf(email) && isTagged(other) === isTagged(email),
    )
  /** Whether the letter may leave that is reserved each day for the owner of a mailbox. */
  function isReserveFree(email: string, network: string | undefined): boolean {
    const alike = alikeTo(email).map(([, one]) => one)
    const { letter } = person(email)
    return (
      !isTagged(email) &&
      network !== undefined &&
      !alike.some(({ networks }) => networks.includes(network)) &&
      !alike.some(({ letter }) => letter?.no && !letter.yes && !letter.done) &&
      alike.every(({ reservedAt }) => Date.now() - reservedAt >= DAY_MS) &&
      (letter === undefined || Date.now() - letter.last >= PAUSE_MS)
    )
  }

  /** How they stand, as the list says it. */
  const standingOf = ({ stands, before, isBounced, isFirm }: Person) =>
    isBounced && (!stands || (stands === 'quarantined' && !isFirm)) ? (before ?? 'bounced') : stands
  const holds = (one: Person, last: number) => {
    const stands = standingOf(one)
    // A quarantine and a bounce are nobody's own word.
    const isOwn = stands && !['pending', 'quarantined', 'bounced'].includes(stands)
    return last + 14 * DAY_MS > Date.now() && (!isOwn || one.stoodAt <= last)
  }
  const isOpen = (one: Person) =>
    one.letter !== undefined && !one.letter.done && holds(one, one.letter.last)
  /** Asked again since their answer, they have yet to answer that. */
  const isUnanswered = ({ open, letter }: Person) =>
    open !== undefined && !(letter?.done && letter.last >= open.at)
  const openOf = (one: Person) =>
    one.open && isUnanswered(one) && holds(one, one.open.at) ? one.open : undefined

  function forgetOf(email: string) {
    const one = person(email)
    Object.assign(one, { isListed: false, hasReceipt: false, isAsked: false })
    Object.assign(one, { ...none, reservedAt: 0 })
    Object.assign(one, { isBounced: false })
    stand(one, 'forgotten')
    for (const [id] of waitingOf(email)) waiting.delete(id)
  }
  const stand = (one: Person, stands: Person['stands']) =>
    Object.assign(one, {
      ...{ stands, stoodAt: Date.now(), before: undefined },
      isFirm: one.isFirm === true && stands === 'quarantined',
    })
  /** Quarantined, and their owner said that it was not them. */
  const isDisowned = (one: Person) =>
    standingOf(one) === 'quarantined' &&
    one.letter?.no === true &&
    !one.letter.yes &&
    !one.letter.done

  /** What erasing does, by the sentences: whoever asked without signs stays. */
  function erased(email: string) {
    const one = person(email)
    const { open, isListed } = one
    const stands = standingOf(one)
    const waits = waitingOf(email)
    if (waits.some(([, { hasSigns }]) => !hasSigns)) return
    if (isUnanswered(one) && !open?.hasSigns) return
    const isWaiting = open ? isUnanswered(one) : waits.length > 0
    if (stands === 'quarantined') return forgetOf(email)
    if (!isWaiting) return
    if (!isListed || stands === 'pending') return forgetOf(email)
    for (const [id] of waits) waiting.delete(id)
    Object.assign(one, { ...none, reservedAt: 0 })
  }

  function confirm(one: Person, how: 'button' | 'code') {
    Object.assign(one, { isListed: true, hasReceipt: true, letters: [], networks: [] })
    if (one.letter) one.letter.done = how
    Object.assign(one, { stands: undefined, before: undefined, isBounced: false, isFirm: false })
  }

  /** What a press does, by the sentences. */
  function pressed(one: Person, what: 'yes' | 'no' | 'code') {
    const { letter } = one
    const stands = standingOf(one)
    if (!letter) return
    const isDone = letter.done && !stands
    if (isDone) {
      const mayTakeBack = letter.done === 'button' && letter.last + 14 * DAY_MS > Date.now()
      if (what !== 'no' || !mayTakeBack) return
      Object.assign(letter, { no: true, done: undefined })
      one.hasReceipt = false
      if (!letter.isOfAsk) stand(one, 'pending')
      return
    }
    if (!isOpen(one)) return
    if (what === 'code') return confirm(one, 'code')
    const { yes, no } = letter
    letter[what] = true
    if (yes || (no && what === 'no')) return
    if (what === 'yes') {
      if (!no) confirm(one, 'button')
      else if (stands === 'pending') one.stands = undefined
    } else if (one.isListed && !stands) stand(one, 'pending')
  }

  async function deliver() {
    for (;;) {
      const { letters, isMore } = await store.requests.claimLetters(9, DAY_MS, rule)
      for (const { request, pending } of letters) {
        leaving = request.network
        await mailer.send(letter(request.addressId, pending))
        leaving = undefined
        await store.requests.settleLetters([{ request }])
      }
      if (letters.length === 0 && !isMore) return
    }
  }

  async function announcing(id: string, isQuestion: boolean) {
    const stop = new AbortController()
    const end = await announced({
      store,
      mailer,
      id,
      rate: { letters: 1e6, ms: 1000 },
      stopShare: 1,
      retryPolicy: quick,
      signal: stop.signal,
      // What has to wait for a quarter of an hour is left to the next run.
      on: { ...quiet, waiting: () => stop.abort() },
      ...(isQuestion && { leavesOut: ({ extra }) => (consentIn(extra) ? 'confirmed' : undefined) }),
      message: isQuestion
        ? asking({ ...store, product, letter })
        : ({ addressId, email }) =>
            letter(addressId, {
              email,
              askedAt: new Date(0),
              letters: 0,
              shown: { words: '', page: '', language: '' },
            }),
      letter: { subject: id, digest: id },
      includeNew: true,
    })
    expect(end.balance.holds, `${id} balances`).toBe(true)
    return end
  }

  const real = {
    signUp: async (email: string, signs?: string) => {
      const shown = { words: 'Notify Me', page: 'a1', language: 'en' }
      const network = pick(networks)
      await store.requests.requestConfirmation(email, {
        shown,
        isCrowd: false,
        suspicion: signs,
        network,
      })
    },
    add: (email: string, signs?: string) => store.list.add(email, { suspicion: signs }),
    unsubscribe: (email: string) => store.standings.unsubscribe(ids.of(email)),
    forget: (email: string) => store.standings.forget(email),
    import: (email: string) =>
      store.list.importAll([{ email, subscribedAt: new Date(Date.UTC(2025, 0, 1)) }]),
    bounce: (email: string) => store.standings.set([{ email, standing: 'bounced' }]),
    async press(email: string, what: 'yes' | 'no' | 'code') {
      const addressId = ids.of(email)
      const asked = await store.requests.changePending(addressId, ({ pending }) => ({
        result: pending,
      }))
      // Nobody has the link who had no letter.
      if (!asked?.letters) return false
      const given = what === 'code' ? { code: keys.code(addressId, asked.askedAt) } : what
      await store.requests.changePending(addressId, press(keys, addressId, given))
      return true
    },
  }

  async function happen(act: string, email: string) {
    const one = person(email)
    switch (act) {
      case 'signUp':
        return real.signUp(email)
      case 'signUpWithSigns':
        return real.signUp(email, suspicion)
      case 'addWithSigns':
        await real.add(email, suspicion)
        // Nobody on the list is taken off it, and nothing graver is lifted.
        if (!one.isBounced && (one.stands || !one.isListed)) {
          const { stands, before } = one
          const isOwn = stands === 'pending' || stands === 'unsubscribed'
          stand(one, 'quarantined')
          one.before = isOwn ? stands : before
        }
        one.isListed = true
        return
      case 'release':
        await store.quarantine.release([email])
        if (standingOf(one) === 'quarantined' && !isDisowned(one))
          Object.assign(one, { stands: undefined, before: undefined, isFirm: false })
        return
      case 'erase':
        await store.quarantine.erase([email])
        return erased(email)
      case 'add':
        await real.add(email)
        one.isListed = true
        Object.assign(one, { stands: undefined, before: undefined, isFirm: false })
        return
      case 'yes':
      case 'no':
      case 'code':
        if (await real.press(email, act)) pressed(one, act)
        return
      case 'unsubscribe':
        await real.unsubscribe(email)
        if (one.stands !== 'forgotten') stand(one, 'unsubscribed')
        return
      case 'forget':
        await real.forget(email)
        return forgetOf(email)
      case 'import':
        await real.import(email)
        if (standingOf(one) === 'quarantined') one.isFirm = true
        if (one.stands !== 'forgotten') one.isListed = true
        return
      case 'bounce':
        await real.bounce(email)
        if (one.stands !== 'forgotten') one.isBounced = true
        return
      case 'ask':
        isAsking = true
        await announcing(ASK, true)
        isAsking = false
        return
      case 'hours':
        step(8 * 60)
        return
      case 'later': {
        step(15 * 24 * 60)
        await sweep(store, new Date())
        for (const [other, each] of people) {
          if (each.letter && (standingOf(each) === 'pending' || isDisowned(each))) forgetOf(other)
          Object.assign(each, { ...none, reservedAt: 0 })
        }
        waiting.clear()
      }
    }
  }

  /** Letters keep to their limits, and go to nobody who is not to have one. */
  function learn(before: number) {
    for (const { email, isOfAsk, at, network } of left.slice(before)) {
      const one = person(email)
      if (isOfAsk) {
        const { isListed, hasReceipt, isAsked } = one
        const stands = standingOf(one)
        const before = { isListed, hasReceipt, stands, isAsked }
        const wanted = { isListed: true, hasReceipt: false, stands: undefined, isAsked: false }
        expect(before, 'who is asked').toEqual(wanted)
        one.isAsked = true
      }
      // On the list, they are asked as people, unless a request with signs is open.
      if (isOfAsk) one.open = { hasSigns: openOf(one)?.hasSigns ?? false, at }
      const alike = alikeTo(email).map(([, other]) => other)
      const isSoon = alike.some(({ letter }) => letter && at - letter.last < PAUSE_MS)
      const isFull = alike.flatMap(({ letters }) => letters).length >= MOST_LETTERS
      if (isSoon || isFull) {
        expect(isReserveFree(email, network), 'the limits of a mailbox').toBe(true)
        one.reservedAt = at
      }
      one.letters = [...one.letters, at]
      if (network !== undefined) one.networks = [...one.networks, network]
      const box = emails.filter((other) => mailboxOf(other) === mailboxOf(email))
      const ofDays = box.flatMap((other) => person(other).letters)
      const count = ofDays.filter((time) => time > at - 14 * DAY_MS).length
      expect(count, 'letters to a mailbox').toBeLessThanOrEqual(MOST_IN_ALL)
      const open = isOpen(one) ? one.letter : undefined
      // Asked while the answer to a sign-up is open, they are asked as one who is on the list.
      one.letter = {
        yes: false,
        no: false,
        ...open,
        isOfAsk: isOfAsk || open?.isOfAsk === true,
        last: at,
      }
    }
  }

  async function compare() {
    const found: Record<string, unknown> = {}
    for await (const { email, standing, extra } of store.list.stream({ standing: 'all' }))
      found[email] = { standing, hasReceipt: consentIn(extra) !== undefined }
    const wanted = [...people].filter(([, { isListed }]) => isListed)
    expect(found).toEqual(
      Object.fromEntries(
        wanted.map(([email, one]) => [
          email,
          { standing: standingOf(one) ?? 'subscribed', hasReceipt: one.hasReceipt },
        ]),
      ),
    )
    const counts = noneOfEach()
    for (const [, one] of wanted) counts[standingOf(one) ?? 'subscribed'] += 1
    expect(await standingCounts(store), 'counts').toEqual(counts)
  }

  try {
    for (let n = 0; n < count; n++) {
      const [act, email] = [pick(among), pick(emails)]
      step(1 + Math.floor(chance() * 40))
      story.push(`${act} ${email}`)
      const before = left.length
      await happen(act, email)
      await deliver()
      learn(before)
      await compare()
    }
    const before = left.length
    step(1)
    await announcing('launch', false)
    const told = [...people].filter(([, one]) => one.isListed && !standingOf(one))
    const reached = left.slice(before).map(({ email }) => email)
    expect(reached.toSorted()).toEqual(told.map(([email]) => email).toSorted())
  } catch (cause) {
    throw new Error(`${story.join(', ')}: ${(cause as Error).message}`, { cause })
  }
  return { letters: left.length }
}
