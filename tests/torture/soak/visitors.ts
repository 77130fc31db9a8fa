import { setTimeout as sleep } from 'node:timers/promises'
import { paths } from '../../../src/shared/api.ts'
import { browser } from '../../fixtures/app.ts'
import { amount } from '../form.ts'
import { busyness, type WeekClock } from './day.ts'
import type { House } from './house.ts'
import type { Everybody, Person } from './people.ts'

const STEP_MS = 25
/** Of those who come: who runs no script, who is a robot, who left before and comes back. */
const SHARES = { form: 0.1, robot: 0.08, back: 0.02 }
/** Of those who have a letter: who confirms, and who leaves by the announcement's link. */
const ANSWERS = { confirm: 0.7, unsubscribe: amount(0.2, 0.06) }
/** Nobody types faster; whoever does is a robot. */
const TYPING_MS = 1100
const AGAIN_MS = 250
const program = { 'user-agent': 'python-requests/2.32.3' }
const PROVIDERS = ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'web.de', 'gmx.net']

export interface VisitorsOptions {
  readonly house: House
  readonly people: Everybody
  readonly random: () => number
  readonly clock: WeekClock
  /** How many come in a second, on a day's mean. */
  readonly aSecond: number
  /** Whether the server asks for a confirmation now. */
  readonly isAsking: () => boolean
}

/** People and robots who come as a day has it, and answer their letters, until they are stopped. */
export function visitors({ house, people, random, clock, aSecond, isAsking }: VisitorsOptions) {
  const busy = new Set<Promise<void>>()
  let owed = 0
  let number = 0
  let thanked = 0
  const timer = setInterval(() => {
    owed += (busyness(clock.now()) * aSecond * STEP_MS) / 1000
    for (; owed >= 1; owed -= 1) begin(visit())
  }, STEP_MS)

  function begin(work: Promise<unknown>) {
    const done: Promise<void> = work
      .then(
        () => {},
        (cause) => people.broken.push(`a visit failed: ${cause}`),
      )
      .then(() => void busy.delete(done))
    busy.add(done)
  }

  function ask(path: string, more: RequestInit = {}) {
    const headers = { ...browser, 'x-forwarded-for': anywhere(random), ...more.headers }
    return fetch(house.url(random()) + path, { method: 'POST', ...more, headers })
      .then(async (answer) => ({ answer, body: await answer.text() }))
      .catch(() => undefined)
  }

  async function visit() {
    const chance = random()
    number += 1
    if (chance < SHARES.robot) {
      const robot = people.person(`robot-${number}@example.net`, 'robot')
      return signUp(robot, { headers: program, comment: 'Cheap watches', isForm: true })
    }
    const leaver = chance > 1 - SHARES.back ? someone(mayComeBack) : undefined
    const one = leaver ?? people.person(`visitor.${number}@${PROVIDERS[number % 6]}`)
    if (random() < SHARES.form) return signUp(one, { isForm: true })
    const session = await ask(paths.session)
    const cookie = session?.answer.headers.get('set-cookie')?.split(';')[0]
    // Whoever finds no page leaves nothing.
    if (!cookie) return leaver || people.all.delete(one.email)
    await sleep(TYPING_MS + random() * TYPING_MS)
    return signUp(one, { headers: { cookie } })
  }

  /** Signs up; of those who get no answer, half try again, and nobody knows of the others. */
  async function signUp(
    one: Person,
    how: { headers?: Record<string, string>; comment?: string; isForm?: boolean },
  ) {
    const isPatient = random() < 0.5
    const { headers = {}, comment, isForm } = how
    const fields = { email: one.email, ...(comment && { comment }) }
    // Without an answer; a server that asks for no confirmation may have put them on the list.
    let mayBeListed = false
    one.triesToComeBack ||= one.gone !== undefined
    for (;;) {
      const kind = isAsking() ? 'to confirm' : 'at once'
      const asked = await (isForm
        ? ask(paths.subscribe, { headers, body: new URLSearchParams(fields), redirect: 'manual' })
        : ask(paths.subscribers, {
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(fields),
          }))
      const status = asked?.answer.status
      if (status === (isForm ? 303 : 201)) {
        thanked += 1
        one.isUnsure = mayBeListed && kind === 'to confirm'
        if (kind === 'at once')
          Object.assign(one, { thanked: kind, isBack: one.gone !== undefined })
        else one.thanked ??= kind
        return
      }
      if (status !== undefined && status !== 503) {
        people.broken.push(`${one.email} was answered ${status} ${asked?.body.slice(0, 80)}`)
        return
      }
      if (status === undefined) {
        one.isUnsure = true
        mayBeListed ||= kind === 'at once'
      }
      if (!isPatient) return
      await sleep(AGAIN_MS)
    }
  }

  /** Presses a button behind a link until an answer comes. */
  async function press(path: string, body?: URLSearchParams) {
    for (;;) {
      const pressed = await ask(path, body ? { body } : {})
      if (pressed?.answer.status === 200) return
      if (pressed && pressed.answer.status !== 503)
        people.broken.push(`a link was answered ${pressed.answer.status}`)
      await sleep(AGAIN_MS)
    }
  }

  const mayComeBack = ({ gone, isBack, kind }: Person) =>
    gone?.how === 'unsubscribed' && gone.at < performance.now() && !isBack && kind === 'visitor'

  /** One of those who are so, or nobody. */
  function someone(is: (one: Person) => boolean): Person | undefined {
    const all = [...people.all.values()].filter(is)
    return all[Math.floor(random() * all.length)]
  }

  let isLate = false

  return {
    someone,
    thanked: () => thanked,
    /** Somebody has a letter, and may answer it. */
    answers(one: Person, path: string, what: 'unsubscribe' | 'confirm') {
      if (isLate || random() > ANSWERS[what] || one.kind === 'robot') return
      const answer = async () => {
        await sleep(AGAIN_MS * random())
        if (what === 'unsubscribe') {
          if (one.gone) return
          // Decided, and until it is answered nobody counts on when.
          one.gone = { how: 'unsubscribed', at: Number.POSITIVE_INFINITY }
          await press(path)
          one.gone = { how: 'unsubscribed', at: performance.now() }
          return
        }
        await press(path, new URLSearchParams({ answer: 'yes' }))
        Object.assign(one, { hasConfirmed: true, isBack: one.gone !== undefined })
      }
      begin(answer())
    },
    /** So many more come, so many of them at once. */
    async rush(count: number, atOnce: number) {
      let left = count
      const line = async () => {
        while (left-- > 0) await visit()
      }
      await Promise.all(Array.from({ length: atOnce }, line))
    },
    /** Nobody comes any more. */
    stop: () => clearInterval(timer),
    /** Letters that come from now on stay unanswered. */
    lookNoMore() {
      isLate = true
    },
    /** Resolves when everybody who is there has gone. */
    async gone() {
      while (busy.size > 0) await Promise.all(busy)
    },
  }
}

export type Visitors = ReturnType<typeof visitors>

function anywhere(random: () => number) {
  const part = (from: number, to: number) => from + Math.floor(random() * (to - from))
  return `${part(20, 120)}.${part(0, 256)}.${part(0, 256)}.${part(1, 255)}`
}
