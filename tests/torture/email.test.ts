import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import product from '../../product.config.ts'
import { firestoreRules } from '../../scripts/firestore-rules.ts'
import { EMAIL_MAX_LENGTH, EMAIL_PATTERN, parseEmail } from '../../src/shared/email.ts'
import { firestoreRest } from '../emulators/firestore-rest.ts'
import { newVisitor, record } from '../emulators/firestore-visitor.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { inputs } from './addresses.ts'
import { amount, report, seed } from './form.ts'
import { growth } from './growth.ts'

const CASES = amount(5000, 1_000_000)

function hold(property: fc.IPropertyWithHooks<[string]>, numRuns = CASES) {
  fc.assert(property, { seed, numRuns })
}

describe('the e-mail rule, for any input at all', () => {
  it('never throws, and leaves as it is what it made', (context) => {
    let accepted = 0
    hold(
      fc.property(inputs, (input) => {
        const email = parseEmail(input)
        if (email === undefined) return
        accepted++
        expect(parseEmail(email)).toBe(email)
      }),
    )
    expect(accepted).toBeGreaterThan(CASES / 10)
    report(context, {
      done: 'any text at all as an address',
      times: CASES,
      result: `nothing was thrown; ${accepted.toLocaleString('en')} accepted, each accepted again unchanged`,
    })
  })

  it('accepts nothing that could be a second address, a header, or unreadable', (context) => {
    hold(
      fc.property(inputs, (input) => {
        const email = parseEmail(input)
        if (email === undefined) return
        const [local, domain] = [email.slice(0, email.lastIndexOf('@')), email.split('@').at(-1)]
        expect(email.length).toBeLessThanOrEqual(EMAIL_MAX_LENGTH)
        expect(email.isWellFormed()).toBe(true)
        expect(email).toBe(email.toLowerCase())
        expect(email).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect(domain).toMatch(/^(\[[\d.]+\]|[a-z0-9.-]+\.[a-z0-9-]{2,})$/)
        if (!/^"[^"]+"$/.test(local) && !local.startsWith('"'))
          expect(local).not.toMatch(/[\s<>()[\]\\,;:@"]|^\.|\.\.|\.$/u)
        expect(JSON.parse(JSON.stringify(email))).toBe(email)
      }),
    )
    report(context, {
      done: 'what it accepts, held against what an address may be',
      times: CASES,
      result: 'nothing else was accepted',
    })
  })

  it('accepts every plain address, in whatever letters and with whatever space around it', (context) => {
    const plain = fc.emailAddress().filter((email) => email.length <= EMAIL_MAX_LENGTH)
    hold(
      fc.property(plain, (email) => {
        expect(parseEmail(email)).toBe(email.toLowerCase())
        expect(parseEmail(`\t ${email.toUpperCase()}\n`)).toBe(email.toLowerCase())
      }),
    )
    report(context, {
      done: 'plain addresses, in capitals, with space around them',
      times: CASES,
      result: 'each was accepted',
    })
  })
})

describe('the same verdict', () => {
  describe('from the rules of Firestore', () => {
    const firestore = withFirestoreEmulator()

    it('for what the page would send, and for what it never would', {
      tags: 'long',
    }, async (context) => {
      const rest = firestoreRest(firestore().origin, 'demo-torture')
      await rest.setRules(firestoreRules(product.appId))
      const typed = fc
        .sample(inputs, { seed, numRuns: amount(400, 5000) })
        .flatMap((input) => [input, parseEmail(input) ?? input])
        .filter((input) => isKnownToTheEmulator.test(input))
      const wrong: string[] = []
      for (let i = 0; i < typed.length; i += 20)
        await Promise.all(
          typed.slice(i, i + 20).map(async (input) => {
            const { token, path } = await newVisitor('demo-torture', product.appId)
            const status = await rest.commit([record(input, path)], token)
            const isTaken = pattern.test(input) && input.length <= EMAIL_MAX_LENGTH
            if ((status === 200) !== isTaken) wrong.push(input)
            // The pattern takes what the page sends, and does not see all that the rule refuses.
            if (parseEmail(input) === input && !isTaken) wrong.push(input)
          }),
        )
      expect(wrong).toEqual([])
      report(context, {
        done: 'the rule against the rules on the Firestore emulator',
        times: typed.length,
        result: 'the verdict of the pattern, which takes all that the page would send',
      })
    })
  })
})

/** Its tables are those of Unicode 6, which lack newer letters; half a character does not reach it. */
const isKnownToTheEmulator =
  /^[\p{Cc}\u0020-\u036f\u0410-\u044f\u200b-\u202e\u2028\u3040-\u30ff\u4e00-\u9fcb\u{1f44b}\ufffd]*$/u

const pattern = new RegExp(`^(?:${EMAIL_PATTERN})$`, 'u')

describe('the time that the rule takes', () => {
  const adversarial: [prefix: string, pump: string, suffix: string][] = [
    ['', 'a', ''],
    ['', 'a.', '@'],
    ['', '.', '@b.co'],
    ['', '@', ''],
    ['"', 'a', ''],
    ['"', '"', '@b.co'],
    ['"', 'a"@', 'b'],
    ['a@', 'b', ''],
    ['a@', 'b.', ''],
    ['a@', 'b-', '.'],
    ['a@', 'xn--', ''],
    ['a@xn--', 'a-', '-'],
    ['a@', 'a.xn--a', '!'],
    ['a@', '1.', '['],
    ['a@[', '1.', ']'],
    ['', 'é', '@b.co'],
    ['', '👋', ''],
    ['', ' ', 'a'],
    ['a@b.co', '“', 'a'],
    ['“', ',', ''],
    ['', '<', '@b.co'],
    ['a@', 'ü.', ''],
    ['a@', 'l·', 'l.cat'],
  ]

  it('grows with the length of an input and no faster, up to 100 kB', (context) => {
    const parts = fc.string({
      unit: fc.constantFrom('a', '.', '-', '@', '"', '[', '1', 'xn--', 'é'),
    })
    const chosen = fc.sample(
      fc.tuple(
        parts,
        parts.filter((pump) => pump !== ''),
        parts,
      ),
      {
        seed,
        numRuns: amount(20, 500),
      },
    )
    const slow: string[] = []
    let worst = 0
    for (const [prefix, pump, suffix] of [...adversarial, ...chosen]) {
      const times = growth((text) => pattern.test(text), prefix, pump, suffix)
      worst = Math.max(worst, times)
      if (times > TOO_MUCH) slow.push(`${JSON.stringify([prefix, pump, suffix])}: ${times}`)
    }
    expect(slow).toEqual([])
    report(context, {
      done: 'inputs of 100 kB against inputs an eighth as long, made to be slow',
      times: adversarial.length + chosen.length,
      result: `at most ${worst.toFixed(1)} times as long (linear is 8, quadratic 64)`,
    })
  })
})

/** Eight times the input; far from what quadratic would take, and far from noise. */
const TOO_MUCH = 28
