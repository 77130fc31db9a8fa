import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import product from '../../../product.config.ts'
import { lookAtCodes, withCodes } from '../../../src/announcement/codes.ts'
import { readSettings } from '../../../src/config/read.ts'
import {
  invitationCodes,
  invitationIds,
  jwkOf,
  testAudience,
} from '../../../src/features/invitations/codes.ts'
import { codes } from '../../../src/features/invitations/work.ts'
import { messages } from '../../../src/mail/letter/message.ts'
import type { CodeKeys } from '../../../src/store/store.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { ids, linkKey } from '../../fixtures/keys.ts'
import type { Behaviour } from '../../fixtures/relay.ts'
import { setStage } from '../../fixtures/stage.ts'
import { person } from '../../store/contracts/people.ts'

const publicUrl = 'https://example.com'
const DAY_S = 86_400
const key = Buffer.alloc(32, 9)
const set = { PUBLIC_URL: publicUrl, INVITATION_KEY: key.toString('base64') }
const letter = {
  subject: 'Ready',
  preview: '',
  from: 'team@example.org',
  replyTo: undefined,
  markdown: '[Come in](https://app.example.com/join?code={{invitation}})',
  codeDays: 14,
}
/** A letter as it is sent by an operator with these settings. */
const letterOf = (
  codeKeys: CodeKeys,
  env: Readonly<Record<string, string>> = set,
  id = 'launch',
) => ({
  letterFile: { letter, id },
  codes: async () =>
    codes({
      ...{ store: { codeKeys }, linkKey, dataDir: '/none' },
      product: { ...product, appId: 'meridian' },
      get: (name) => {
        const read = readSettings(({ get }) => get(name), env)
        if ('mistakes' in read) throw new Error(read.mistakes.join())
        return read.settings
      },
    }),
})
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
  const message = await withCodes(letterOf(stage.store.codeKeys), make)
  const codeTo = async (email: string) => codeIn((await stage.relay.messageTo(email)).text ?? '')
  return { ...stage, message, codeTo }
}

it('names a letter of somebody by the same id in every version, and has the same keys', () => {
  const id = invitationIds(Buffer.from('a link key of 32 bytes or longer'))
  expect(id('launch', 'qDkqX3ZxKnnkau2wMIC1ow')).toBe('5_CqDY9jrxnKx4iuQS3jqg')
  expect(invitationCodes(Buffer.alloc(32, 7)).publicKey).toBe(
    '6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw',
  )
})

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
      const other = letterOf(store.codeKeys, set, announcement)
      const made = await (await withCodes(other, make))(recipient)
      return 'message' in made ? verified(codeIn(made.message.text)) : undefined
    }
    const sent = codeIn((await relay.messageTo(email)).text ?? '')
    const again = await (await withCodes(letterOf(store.codeKeys), make))(recipient)
    if (!('message' in again)) throw new Error('it has an invitation')
    expect((await verified(codeIn(again.message.text))).jti).toBe((await verified(sent)).jti)
    expect((await made('second'))?.jti).not.toBe((await verified(sent)).jti)
  })

  it('has in a test a code that no product takes', async () => {
    const { store } = await setStage(0)
    const message = await withCodes(letterOf(store.codeKeys), make, true)
    const made = await message({ addressId: ids.of('me@example.com'), email: 'me@example.com' })
    if (!('message' in made)) throw new Error('it has an invitation')
    const code = codeIn(made.message.text)
    await expect(verified(code)).rejects.toThrow('unexpected "aud" claim value')
    expect(await verified(code, testAudience('meridian'))).toMatchObject({ aud: 'meridian:test' })
    // Nothing has to be verified because of it.
    expect((await store.codeKeys.keys())[0]?.until.getTime()).toBeLessThanOrEqual(Date.now())
  })

  it('leaves only once it is kept until when its key is needed', async () => {
    const log: string[] = []
    let isAway = true
    const store: CodeKeys = {
      keys: async () => [],
      async keep(_, until) {
        if (until.getTime() > Date.now() + 1000) log.push('kept')
        if (until.getTime() > Date.now() + 1000 && isAway) throw new StoreUnavailable('away')
      },
    }
    const message = await withCodes(letterOf(store), (one) => {
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
  const known = (...keys: string[]): CodeKeys => ({
    keys: async () => keys.map((publicKey) => ({ publicKey, until: new Date() })),
    keep: async () => {},
  })

  const found = async (store: CodeKeys, env?: Readonly<Record<string, string>>) =>
    lookAtCodes(letterOf(store, env))

  it('is until when codes are valid, by a key that the product knows and an issuer', async () => {
    const theirs = invitationCodes(key).publicKey
    for (const store of [known(), known('x', theirs)])
      expect(await found(store)).toEqual([
        {
          ...{ code: 'codes', about: 'Invitation', verdict: 'note' },
          text: expect.stringMatching(/^valid for 14 days, from now until [\d: -]{16} UTC$/),
        },
      ])
    const gone = { PUBLIC_URL: publicUrl }
    for (const [store, env, text] of [
      [known('x'), set, /another key so far: its public key is x, .* invitations --new-key$/],
      [known(), { ...set, PUBLIC_URL: '' }, /^PUBLIC_URL is not set/],
      [known('x'), gone, /^invitation\.key, which signs .* is not in \/none\. Put it back/],
    ] as const)
      expect(await found(store, env)).toMatchObject([
        { verdict: 'fatal', text: expect.stringMatching(text) },
      ])
    expect(await found(known(), gone)).toMatchObject([
      { verdict: 'note', text: expect.stringContaining('; its key is made when the first one') },
    ])
  })

  it('is nothing for a letter without a code', async () => {
    const { codeDays: _, ...none } = letter
    const asked = { ...letterOf(known('x')), letterFile: { letter: none, id: 'a' } }
    expect(await lookAtCodes(asked)).toEqual([])
  })
})
