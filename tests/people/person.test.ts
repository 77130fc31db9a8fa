import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterNoes,
  afterYeses,
  answer,
  confirm,
  endHold,
  forget,
  imported,
  merge,
  pressed,
  release,
  sayNo,
  signUp,
} from '../../src/people/changes.ts'
import {
  extraOf,
  isOfSignUp,
  isOnList,
  type NoKind,
  nobody,
  noKinds,
  type Person,
  sourceOf,
  subscribedAtOf,
  whyNotMailed,
} from '../../src/people/person.ts'
import { withPending } from '../../src/people/requests.ts'
import { isLiftedByAnswer, isLiftedBySignUp, type Standing } from '../../src/people/standing.ts'
import { personIn, personText } from '../../src/people/stored.ts'

const email = 'ada@example.com'
/** In steps of which the clocks of two lists leave no doubt. */
const at = (step: number) => new Date(step * 10_000)

/** Something that is said of somebody, at its own step. */
type Said =
  | {
      readonly kind: 'signUp' | 'robot' | 'import' | 'forget' | 'answer' | 'confirm'
      readonly at: number
    }
  | { readonly kind: 'no'; readonly no: NoKind; readonly at: number }

function apply(one: Person, said: Said): Person {
  const time = at(said.at)
  if (said.kind === 'signUp') return signUp(one, { email, at: time })
  if (said.kind === 'robot') return signUp(one, { email, at: time, suspicion: 'hidden-field' })
  if (said.kind === 'import') return imported(one, email, time)
  if (said.kind === 'forget') return forget(one, time)
  if (said.kind === 'answer') return answer(one, time)
  if (said.kind === 'confirm') return confirm(one, { email, at: time }, time)
  return 'no' in said ? sayNo(one, said.no, { at: time }) : one
}

/**
 * The rules in the order of time, as a person would tell them: a yes takes away the noes before it, and a
 * robot counts only where nobody else has come, and where no mail server knows better.
 */
function told(history: readonly Said[]): Standing | undefined {
  let noes: { standing: NoKind; at: number }[] = []
  let robotAt: number | undefined
  let isKnown = false
  let isForgotten = false
  const lift = (lifted: (standing: NoKind) => boolean) => {
    noes = noes.filter(({ standing }) => !lifted(standing))
  }
  function stands(): Standing | undefined {
    if (isForgotten && !isKnown && robotAt === undefined) return 'forgotten'
    const gravest = (from: number) =>
      noKinds.findLast((kind) => noes.some(({ standing, at }) => standing === kind && at >= from))
    // The last word of each kind counts.
    const last = noKinds.flatMap((kind) => noes.findLast(({ standing }) => standing === kind) ?? [])
    if (robotAt === undefined || noes.some(({ standing }) => !isLiftedBySignUp(standing)))
      return gravest(0)
    const isOver = last.some(({ at }) => at < Number(robotAt))
    if (isKnown && !isOver) return gravest(0)
    const later = gravest(robotAt)
    const isGraver = later && noKinds.indexOf(later) > noKinds.indexOf('quarantined')
    return isGraver ? later : 'quarantined'
  }
  const hasQuarantine = () =>
    noes.some(({ standing, at }) => standing === 'quarantined' && at >= Number(robotAt))
  for (const said of history.toSorted((one, other) => one.at - other.at)) {
    const isHere: boolean = isKnown || robotAt !== undefined
    if (said.kind === 'forget') {
      noes = []
      robotAt = undefined
      isKnown = false
      isForgotten = true
    } else if (said.kind === 'import') {
      // Somebody whom a robot brought stays where they are.
      if (isHere && stands() === 'quarantined' && robotAt !== undefined && !hasQuarantine()) {
        noes = noes.filter(
          ({ standing, at }) => !isLiftedBySignUp(standing) || at >= Number(robotAt),
        )
        noes.push({ standing: 'quarantined', at: robotAt })
      }
      isKnown ||= !isForgotten || isHere
    } else if (said.kind === 'robot') robotAt = said.at
    else if (said.kind === 'no') {
      if (!isForgotten || isHere) noes.push({ standing: said.no, at: said.at })
    } else if (said.kind === 'answer') lift((standing) => standing === 'bounced')
    else {
      lift(said.kind === 'confirm' ? isLiftedByAnswer : isLiftedBySignUp)
      robotAt = undefined
      isKnown = true
    }
  }
  return stands()
}

const second = fc.integer({ min: 1, max: 1e6 })
const anyNo = fc.record({
  kind: fc.constant('no' as const),
  no: fc.constantFrom(...noKinds),
  at: second,
})
const visits = fc.record({ kind: fc.constantFrom('signUp' as const, 'robot' as const), at: second })
const history = fc.uniqueArray(fc.oneof(visits, anyNo), { maxLength: 12, selector: ({ at }) => at })

const anything: fc.Arbitrary<Said[]> = fc.uniqueArray(
  fc.oneof(
    visits,
    anyNo,
    fc.record({
      kind: fc.constantFrom(
        'import' as const,
        'forget' as const,
        'answer' as const,
        'confirm' as const,
      ),
      at: second,
    }),
  ),
  { maxLength: 12, selector: ({ at }) => at },
)

describe('a person', () => {
  it('stands as they would in the order of time, however late and however often each thing is heard', () => {
    fc.assert(
      fc.property(
        history.chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.shuffledSubarray(all, { minLength: all.length }),
            fc.array(all.length ? fc.constantFrom(...all) : fc.constant(undefined as never), {
              maxLength: all.length ? 6 : 0,
            }),
          ),
        ),
        ([all, late, again]) => {
          const inOrder = all.toSorted((one, other) => one.at - other.at).reduce(apply, nobody)
          const heard = [...late, ...again].reduce(apply, nobody)
          expect(heard).toEqual(inOrder)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('stands as the rules say in the order of time', () => {
    fc.assert(
      fc.property(anything, (all: Said[]) => {
        const one = all.toSorted((one, other) => one.at - other.at).reduce(apply, nobody)
        expect(whyNotMailed(one)?.standing).toBe(told(all))
      }),
      { numRuns: 5000 },
    )
  })

  it('is the same when two lists that each heard a part are put together', () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat(2)), (all, parts) => {
        const shares: [Said[], Said[]] = [[], []]
        for (const said of all) {
          const part = parts.next().value ?? 0
          if (part !== 1) shares[0].push(said)
          if (part !== 0) shares[1].push(said)
        }
        const [one, other] = shares.map((said) => said.reduce(apply, nobody)) as [Person, Person]
        const both = merge(one, other)
        expect(both).toEqual(all.reduce(apply, nobody))
        expect(merge(one, both)).toEqual(both)
      }),
      { numRuns: 2000 },
    )
  })

  it('has left where one list alone knows the no, and the sign-up of the other is within 5 s of it', () => {
    const left = sayNo(nobody, 'unsubscribed', { at: at(1) })
    const came = (ms: number, one = nobody) =>
      signUp(one, { email, at: new Date(Number(at(1)) + ms) })
    const standing = (one: Person, other: Person) =>
      [merge(one, other), merge(other, one)].map((both) => whyNotMailed(both)?.standing)
    expect(standing(left, came(0))).toEqual(['unsubscribed', 'unsubscribed'])
    expect(standing(left, came(5000))).toEqual(['unsubscribed', 'unsubscribed'])
    expect(standing(left, came(5001))).toEqual([undefined, undefined])
    // The operator's release there is no yes of theirs, unless they signed up after the no.
    const held = (step: number) =>
      signUp(nobody, { email, at: at(step), suspicion: 'hidden-field' })
    const released = (step: number) => release(held(step), at(3)) ?? nobody
    const leftHere = sayNo(held(0), 'unsubscribed', { at: at(1) })
    expect(standing(leftHere, released(0))).toEqual(['unsubscribed', 'unsubscribed'])
    expect(standing(leftHere, released(2))).toEqual([undefined, undefined])
    // Where one list has heard both, it knows the order.
    expect(standing(left, came(1, left))).toEqual([undefined, undefined])
  })

  it('is as it was where a copy of it is restored onto nothing', () => {
    fc.assert(
      fc.property(anything, (all) => {
        const one = all.toSorted((one, other) => one.at - other.at).reduce(apply, nobody)
        expect(merge(nobody, one)).toEqual(one)
        expect(merge(one, one)).toEqual(one)
        expect(personIn(personText(one))).toEqual(one)
      }),
      { numRuns: 2000 },
    )
  })

  it('is not brought back by a copy from before it was erased', () => {
    fc.assert(
      fc.property(history, (all) => {
        const copy = all.reduce(apply, nobody)
        const erased = forget(copy, at(2e6))
        expect(whyNotMailed(merge(erased, copy))?.standing).toBe('forgotten')
        expect(merge(copy, erased).email).toBeUndefined()
      }),
    )
  })

  it('comes out of the quarantine once, and not where its owner said that it was not them', () => {
    const held = signUp(nobody, { email, at: at(1), suspicion: 'hidden-field' })
    const released = release(held, at(2))
    expect(released && whyNotMailed(released)).toBeUndefined()
    expect(released && release(released, at(3))).toBeUndefined()
    const shown = { words: '', page: '', language: 'en' }
    const pending = { email, askedAt: at(1), shown, letters: 1, noAt: at(2) }
    expect(release(withPending(held, pending), at(3))).toBeUndefined()
  })

  it('goes by what was said last where all of it is of one millisecond', () => {
    const left = sayNo(signUp(nobody, { email, at: at(1) }), 'unsubscribed', { at: at(1) })
    const robot = { email, at: at(1), suspicion: 'hidden-field' }
    const held = signUp(left, { ...robot, lifts: afterNoes(left, at(1)) })
    expect(whyNotMailed(held)?.standing).toBe('quarantined')
    const back = signUp(held, { email, at: at(1), lifts: afterNoes(held, at(1)) })
    expect(whyNotMailed(back)).toBeUndefined()
    const again = sayNo(back, 'unsubscribed', { at: afterYeses(back, at(1)) })
    expect(whyNotMailed(again)?.standing).toBe('unsubscribed')
  })

  it('a subscriber who said that it was not them stays held, whatever wrong code is tried', () => {
    const shown = { words: '', page: '', language: 'en' }
    const request = { email, askedAt: at(1), shown, letters: 1 }
    const held = sayNo(withPending(signUp(nobody, { email, at: at(1) }), request), 'pending', {
      at: at(2),
    })
    const tried = pressed(held, { pending: { ...request, wrongCodes: 1 } }, at(3))
    expect(whyNotMailed(tried)?.standing).toBe('pending')
    // After a robot's sign-up they stay in quarantine, where a program presses both buttons.
    const robot = signUp(held, { email, at: at(3), suspicion: 'too-quick' })
    expect(whyNotMailed(robot)?.standing).toBe('quarantined')
    const both = pressed(robot, { pending: { ...request, noAt: at(2), yesAt: at(4) } }, at(4))
    expect(whyNotMailed(both)?.standing).toBe('quarantined')
    expect(whyNotMailed(pressed(held, { pending: request, isHeld: false }, at(3)))).toBeUndefined()
  })

  it('has its earlier standing again where a hold ends', () => {
    const one = signUp(nobody, { email, at: at(1) })
    const held = sayNo(one, 'pending', { at: at(2) })
    expect(whyNotMailed(held)?.standing).toBe('pending')
    expect(endHold(held)).toEqual(one)
  })

  it('keeps the time, the source and the fields of the first sign-up', () => {
    const first = { email, at: at(1), source: { source: 'x' }, fields: { language: 'de' } }
    const second = { email, at: at(2), source: { source: 'y' }, fields: { language: 'fr' } }
    for (const said of [
      [first, second],
      [second, first],
    ])
      expect(said.reduce(signUp, nobody).signedUp).toMatchObject({
        first: at(1),
        source: { source: 'x' },
        fields: { language: 'de' },
      })
    expect(subscribedAtOf(imported(signUp(nobody, second), email, at(1)))).toEqual(at(1))
    expect(isOnList(nobody)).toBe(false)
    // Also where it looked like a robot's, once they are released; never before what they said otherwise.
    const suspicion = 'hidden-field'
    const held = signUp(nobody, { ...first, suspicion })
    expect([extraOf(held), sourceOf(held)]).toEqual([undefined, undefined])
    const released = signUp(release(held, at(3)) ?? nobody, { ...second, at: at(4) })
    expect([extraOf(released), sourceOf(released)]).toEqual([{ language: 'de' }, undefined])
    expect(extraOf(signUp(signUp(nobody, second), { ...first, suspicion }))).toEqual(second.fields)
    expect(personIn(personText(held))).toEqual(held)
    expect(merge(nobody, held)).toEqual(held)
  })
})

it('lets only the sign-up that brought somebody answer for them', () => {
  const mine = signUp(nobody, { email, at: at(2), key: 'mine' })
  expect(isOfSignUp(mine, 'mine')).toBe(true)
  for (const known of [mine, imported(nobody, email, at(2)), signUp(nobody, { email, at: at(2) })])
    for (const step of [1, 3])
      expect(isOfSignUp(signUp(known, { email, at: at(step), key: 'theirs' }), 'theirs')).toBe(
        false,
      )
})

it('a bounce that a letter answered stays lifted beside a list whose operator released them', () => {
  const answered = answer(
    sayNo(signUp(nobody, { email, at: at(1) }), 'bounced', { at: at(2) }),
    at(3),
  )
  const robot = signUp(nobody, { email, at: at(1), suspicion: 'hidden-field' })
  const released = release(robot, at(4)) ?? nobody
  for (const both of [merge(answered, released), merge(released, answered)])
    expect(whyNotMailed(both)).toBeUndefined()
})

describe('a clock that was set back', () => {
  const robot = signUp(nobody, { email, at: at(10), suspicion: 'hidden-field' })

  it('lets nobody be released who left after a robot typed their address', () => {
    const left = sayNo(robot, 'unsubscribed', { at: afterYeses(robot, at(5)) })
    expect(whyNotMailed(left)?.standing).toBe('unsubscribed')
    expect(release(left, afterNoes(left, at(6)))).toBeUndefined()
  })

  it('lets no older copy bring somebody back who was forgotten', () => {
    for (const known of [signUp(nobody, { email, at: at(10) }), robot]) {
      const gone = forget(known, afterYeses(known, at(5)))
      for (const both of [merge(gone, known), merge(known, gone)])
        expect(isOnList(both)).toBe(false)
    }
  })
})

it('who signed up again after they were forgotten elsewhere is on both lists together', () => {
  const known = signUp(nobody, { email, at: at(1), source: { source: 'news' } })
  const gone = forget(known, at(5))
  const again = signUp(known, { email, at: at(9) })
  const asTold = signUp(gone, { email, at: at(9) })
  for (const both of [merge(gone, again), merge(again, gone)]) expect(both).toEqual(asTold)
  const left = sayNo(again, 'unsubscribed', { at: at(10) })
  for (const both of [merge(gone, left), merge(left, gone)])
    expect(whyNotMailed(both)?.standing).toBe('unsubscribed')
})
