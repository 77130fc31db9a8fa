import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import product from '../../product.config.ts'
import {
  checkSigning,
  type SigningPlace,
  withInvitations,
} from '../../src/announcement/invitations.ts'
import { invitationCodes, jwkOf, testAudience } from '../../src/keys/invitation-codes.ts'
import { messages } from '../../src/mail/letter/message.ts'
import type { Invitations } from '../../src/store/store.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import type { Behaviour } from '../fixtures/relay.ts'
import { setStage } from '../fixtures/stage.ts'
import { person } from '../store/contracts/people.ts'

const publicUrl = 'https://example.com'
const DAY_S = 86_400
const key = Buffer.alloc(32, 9)
const signing: SigningPlace = {
  dataDir: '/none',
  appId: 'meridian',
  invitationKey: key,
}
const letter = {
  subject: 'Ready',
  preview: '',
  from: 'team@example.org',
  replyTo: undefined,
  markdown: '[Come in](https://app.example.com/join?code={{invitation}})',
  invitationDays: 14,
}
const of = { letterFile: { letter, id: 'launch' }, linkKey, signing, publicUrl }
const make = messages({
  ...{ letter, product, linkKey, logo: Buffer.from('png'), announcement: 'launch' },
  unsubscribeUrl: 'http://127.0.0.1/unsubscribe',
})

const codeIn = (text: string) => /join\?code=([\w.-]+)/.exec(text)?.[1] ?? ''

/** As a product does it. */
async function verified(code: string, audience = 'meridian'): Promise<JWTPayload> {
  const keys = [await jwkOf(invitationCodes(key).publicKey)]
  const pinned = { algorithms: ['EdDSA'], issuer: publicUrl, audience }
  return (await jwtVerify(code, createLocalJWKSet({ keys }), pinned)).payload
}

async function inviting(count: number, behaviour?: (to: string) => Behaviour) {
  const stage = await setStage(count, behaviour)
  const message = await withInvitations(stage.store.invitations, of, make)
  const codeTo = async (email: string) => codeIn((await stage.relay.messageTo(email)).text ?? '')
  return { ...stage, message, codeTo }
}

describe('a letter with an invitation', () => {
  it('carries a code that names page, product, person and letter, and no address', async () => {
    const { run, message, codeTo } = await inviting(2)
    expect((await run({ message })).balance.tally).toMatchObject({ sent: 2 })
    const { email } = person(1)
    const { iat = 0, exp, ...claims } = await verified(await codeTo(email))
    expect(claims).toEqual({
      iss: publicUrl,
      aud: 'meridian',
      sub: ids.person(ids.of(email)),
      jti: expect.stringMatching(/^[\w-]{22}$/),
    })
    expect(exp).toBe(iat + 14 * DAY_S)
    expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(60)
    expect((await verified(await codeTo(person(2).email))).jti).not.toBe(claims.jti)
    expect(JSON.stringify(claims)).not.toContain('@')
  })

  it('has the same id however often it is tried, and another in another letter', async () => {
    let isLost = true
    const { run, message, relay, store } = await inviting(1, () =>
      isLost ? 'drop-after-dot' : 'accept',
    )
    await run({ message })
    isLost = false
    await run({ message, retry: 'uncertain' })
    const { email } = person(1)
    const recipient = { addressId: ids.of(email), email }
    const made = async (announcement: string) => {
      const other = { ...of, letterFile: { letter, id: announcement } }
      const made = await (await withInvitations(store.invitations, other, make))(recipient)
      return 'message' in made ? verified(codeIn(made.message.text)) : undefined
    }
    const sent = codeIn((await relay.messageTo(email)).text ?? '')
    const again = await (await withInvitations(store.invitations, of, make))(recipient)
    if (!('message' in again)) throw new Error('it has an invitation')
    expect((await verified(codeIn(again.message.text))).jti).toBe((await verified(sent)).jti)
    expect((await made('second'))?.jti).not.toBe((await verified(sent)).jti)
  })

  it('has in a test a code that no product takes', async () => {
    const { store } = await setStage(0)
    const message = await withInvitations(store.invitations, of, make, true)
    const made = await message({ addressId: ids.of('me@example.com'), email: 'me@example.com' })
    if (!('message' in made)) throw new Error('it has an invitation')
    const code = codeIn(made.message.text)
    await expect(verified(code)).rejects.toThrow('unexpected "aud" claim value')
    expect(await verified(code, testAudience('meridian'))).toMatchObject({ aud: 'meridian:test' })
    // Nothing has to be verified because of it.
    expect((await store.invitations.keys())[0]?.until.getTime()).toBeLessThanOrEqual(Date.now())
  })

  it('leaves only once it is kept until when its key is needed', async () => {
    const log: string[] = []
    let isAway = true
    const store: Invitations = {
      keys: async () => [],
      async keep(_, until) {
        if (until.getTime() > Date.now() + 1000) log.push('kept')
        if (until.getTime() > Date.now() + 1000 && isAway) throw new StoreUnavailable('away')
      },
    }
    const message = await withInvitations(store, of, (one) => {
      log.push('made')
      return make(one)
    })
    const recipient = { addressId: ids.of('a@example.com'), email: 'a@example.com' }
    await expect(message(recipient)).rejects.toThrow(StoreUnavailable)
    isAway = false
    await Promise.all([message(recipient), message(recipient)])
    expect(log).toEqual(['kept', 'kept', 'made', 'made'])
  })
})

describe('what is checked before', () => {
  const known = (...keys: string[]): Invitations => ({
    keys: async () => keys.map((publicKey) => ({ publicKey, until: new Date() })),
    keep: async () => {},
  })

  it('is until when codes are valid, by a key that the product knows and an issuer', async () => {
    const theirs = invitationCodes(key).publicKey
    for (const [store, isKeyThere] of [
      [known(), true],
      [known('x', theirs), true],
    ] as const)
      expect(await checkSigning(store, of)).toMatchObject([
        { code: 'invitation', verdict: 'note', days: 14, isKeyThere },
      ])
    const wrong = async (store: Invitations, more: object) =>
      (await checkSigning(store, { ...of, ...more })).map((one) => 'wrong' in one && one.wrong)
    expect(await wrong(known('x'), {})).toMatchObject([{ code: 'key-other', known: 'x' }])
    expect(await wrong(known(), { publicUrl: undefined })).toEqual([{ code: 'no-issuer' }])
    const gone = { ...signing, invitationKey: null }
    expect(await wrong(known('x'), { signing: gone })).toMatchObject([{ code: 'key-gone' }])
    expect(await checkSigning(known(), { ...of, signing: gone })).toMatchObject([
      { isKeyThere: false },
    ])
    const { invitationDays: _, ...none } = letter
    expect(await checkSigning(known(), { ...of, letterFile: { letter: none, id: 'a' } })).toEqual(
      [],
    )
  })
})
