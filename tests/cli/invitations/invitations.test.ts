import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type SigningPlace,
  signing,
  signingAnew,
  signingKey,
} from '../../../src/announcement/invitations/signing.ts'
import { find } from '../../../src/cli/commands/find.ts'
import { listInvitations } from '../../../src/cli/commands/list-invitations.ts'
import { redeem } from '../../../src/cli/commands/redeem.ts'
import { revoke } from '../../../src/cli/commands/revoke.ts'
import { errorInWords } from '../../../src/cli/words/refusals.ts'
import {
  formerInvitationCodes,
  type InvitationCodes,
  invitationCodes,
  SAMPLE_CODE,
} from '../../../src/keys/invitation-codes.ts'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { ids, linkKey } from '../../fixtures/keys.ts'
import { listening } from '../../fixtures/spoken.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const appId = 'test'
const day = 86_400_000
const email = 'ada@example.com'

function setUp() {
  const dataDir = tempDir()
  const open = () => {
    const file = join(dataDir, 'subscribers.sqlite')
    const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
    onTestFinished(() => store.close())
    return store
  }
  const store = open()
  const place: SigningPlace = { kind: 'sqlite', dataDir, appId, invitationKey: null }
  let number = 0
  /** @returns the code of an invitation that leaves now, and is valid for so long. */
  async function invite(codes: InvitationCodes, to = email, ms = 30 * day) {
    number += 1
    const issuedAt = new Date()
    const expiresAt = new Date(Math.floor((Date.now() + ms) / 1000) * 1000)
    const id = Buffer.alloc(16, number).toString('base64url')
    const one = { id, announcement: 'ready', addressId: ids.of(to), email: to, issuedAt, expiresAt }
    await store.invitations.issue(one, issuedAt, codes.publicKey)
    return codes.sign({ id, expiresAt, announcement: 'ready' }, to)
  }
  return { dataDir, store, open, place, invite }
}

/** What the operator reads where a key is refused. */
const told = (work: Promise<unknown>) => work.then(() => 'taken', errorInWords)

describe('the key of invitations', () => {
  it('is made once, for its owner only, and is noted by its public part', async () => {
    const { store, place, dataDir } = setUp()
    const { publicKey } = await signing(store.invitations, place)
    expect(statSync(join(dataDir, 'invitation.key'))).toMatchObject({ size: 32 })
    expect(statSync(join(dataDir, 'invitation.key')).mode & 0o777).toBe(0o600)
    expect(await store.invitations.key()).toBe(publicKey)
    expect((await signing(store.invitations, place)).publicKey).toBe(publicKey)
  })

  it('signs nothing where it is missing, broken or another one, and says what to do', async () => {
    const { store, place, dataDir } = setUp()
    await signing(store.invitations, place)
    const file = join(dataDir, 'invitation.key')
    renameSync(file, join(dataDir, 'away'))
    expect(await told(signing(store.invitations, place))).toMatch(
      /^invitation\.key, .* is not in .*\. Put it back from a back-up\. .*invitations --new-key/,
    )
    writeFileSync(file, Buffer.alloc(31))
    expect(await told(signing(store.invitations, place))).toMatch(
      /is not the key that was made there/,
    )
    writeFileSync(file, Buffer.alloc(32, 5))
    expect(await told(signing(store.invitations, place))).toMatch(
      /^Invitations were signed with another key/,
    )
    rmSync(file)
    renameSync(join(dataDir, 'away'), file)
    await signing(store.invitations, place)
  })

  it('signs nothing before it is noted which it is', async () => {
    const { store, place } = setUp()
    const setKey = () => Promise.reject(new StoreUnavailable('full'))
    const full = { key: store.invitations.key, setKey }
    for (const sign of [signing, signingAnew])
      await expect(sign(full, place)).rejects.toThrow(StoreUnavailable)
  })

  it('can be a setting, and has to be where there is no folder', async () => {
    const { store, place } = setUp()
    expect(await told(signing(store.invitations, { ...place, kind: 'firestore' }))).toMatch(
      /^INVITATION_KEY: is not set, must be 32 bytes in base64/,
    )
    const key = Buffer.alloc(32, 6)
    const { publicKey } = await signing(store.invitations, {
      ...place,
      kind: 'firestore',
      invitationKey: key,
    })
    expect(publicKey).toBe(invitationCodes(key, appId).publicKey)
  })

  it('is neither made nor noted by whoever only asks which it would be', async () => {
    const { store, place, dataDir } = setUp()
    expect(await signingKey(store.invitations, place)).toBeUndefined()
    const invitationKey = Buffer.alloc(32, 6)
    const { publicKey } = invitationCodes(invitationKey, appId)
    for (const kind of ['sqlite', 'firestore'] as const)
      expect(await signingKey(store.invitations, { ...place, kind, invitationKey })).toBe(publicKey)
    expect(existsSync(join(dataDir, 'invitation.key'))).toBe(false)
    expect(await store.invitations.key()).toBeUndefined()
    // The next one may have another, and is the one that counts.
    const codes = await signing(store.invitations, place)
    expect(await signingKey(store.invitations, place)).toBe(codes.publicKey)
    expect(await told(signingKey(store.invitations, { ...place, invitationKey }))).toMatch(
      /another key/,
    )
  })

  it('goes on with the codes of before on a list that has given out their public key', async () => {
    const { store, place, invite } = setUp()
    const key = Buffer.alloc(32, 6)
    const before = formerInvitationCodes(key)
    await store.invitations.setKey(before.publicKey)
    const codes = await signing(store.invitations, { ...place, invitationKey: key })
    expect(codes.publicKey).toBe(before.publicKey)
    expect(await invite(codes)).toMatch(/^[\w-]{114}$/)
    // Until its operator gives the product another public key: the same secret will do.
    const anew = await signingAnew(store.invitations, { ...place, invitationKey: key })
    expect(anew.publicKey).toBe(invitationCodes(key, appId).publicKey)
    expect(
      await invite(await signing(store.invitations, { ...place, invitationKey: key })),
    ).toMatch(/^[\w-]{122}$/)
  })

  it('is replaced only when the old one was moved away, and then voids what has left', async () => {
    const { store, place, dataDir, invite } = setUp()
    const codes = await signing(store.invitations, place)
    const code = await invite(codes)
    expect(await told(signingAnew(store.invitations, place))).toMatch(
      /is never replaced: move it away/,
    )
    expect(await store.invitations.key()).toBe(codes.publicKey)
    rmSync(join(dataDir, 'invitation.key'))
    const other = await signingAnew(store.invitations, place)
    expect(other.publicKey).not.toBe(codes.publicKey)
    expect((await signing(store.invitations, place)).read(code, email)).toBeUndefined()
    const invitationKey = Buffer.alloc(32, 6)
    await signingAnew(store.invitations, { ...place, invitationKey })
    expect(await told(signingAnew(store.invitations, { ...place, invitationKey }))).toMatch(
      /set another/,
    )
  })
})

/** What is kept beside an invitation is of no account here. */
const noteCame = async () => {}

describe('invitations --redeem', () => {
  async function stage() {
    const { store, place, invite, open } = setUp()
    const codes = await signing(store.invitations, place)
    const came: string[] = []
    const noteCame = async (reader: string) => void came.push(reader)
    async function ask(code: string, by = email, from = store) {
      const { out, result, said } = listening()
      const exit = await redeem(
        from.invitations,
        { email: by, code, codes, noteCame, json: true },
        out,
      )
      const spoken = listening()
      return { exit, ...JSON.parse(result()), said, spoken }
    }
    return {
      store,
      codes,
      ask,
      came,
      open,
      invite: (to?: string, ms?: number) => invite(codes, to, ms),
    }
  }

  it('takes a code once, for its address however it is written', async () => {
    const { ask, invite } = await stage()
    const code = await invite()
    expect(await ask(`${code}\n`, ' ADA@Example.com')).toMatchObject({ exit: 0, redeemed: true })
    expect(await ask(code)).toMatchObject({ exit: 3, redeemed: false, why: 'redeemed' })
  })

  it('lets in one of a hundred who ask at once by several connections to one list', async () => {
    const { ask, invite, open } = await stage()
    const code = await invite()
    const stores = Array.from({ length: 5 }, open)
    const asked = Array.from({ length: 100 }, (_, i) => ask(code, email, stores[i % 5]))
    const answers = await Promise.all(asked)
    expect(answers.filter(({ redeemed }) => redeemed)).toHaveLength(1)
    expect(answers.filter(({ why }) => why === 'redeemed')).toHaveLength(99)
  })

  it('refuses each code that is none, says why, and uses none up', async () => {
    const { store, codes, ask, came, invite } = await stage()
    const code = await invite()
    const stranger = invitationCodes(Buffer.alloc(32, 8), appId)
    const expiresAt = new Date(Date.now() + day)
    const signed = { id: 'A'.repeat(22), expiresAt, announcement: 'ready' }
    const wrong: [string, string, string][] = [
      [code, 'ada+work@example.com', 'not-theirs'],
      [code, 'bob@example.com', 'not-theirs'],
      [stranger.sign(signed, email), email, 'not-theirs'],
      ['', email, 'not-theirs'],
      ['A'.repeat(122), email, 'not-theirs'],
      ['A'.repeat(100_000), email, 'not-theirs'],
      [`${code}\0`, email, 'not-theirs'],
      [code, 'ada.lovelace@example..com', 'not-theirs'],
      [code, '', 'not-theirs'],
      [SAMPLE_CODE, email, 'test'],
      [codes.signTest(signed, email), email, 'test'],
      [await invite(email, -301_000), email, 'expired'],
      [codes.sign(signed, email), email, 'unknown'],
    ]
    for (const [given, by, why] of wrong)
      expect(await ask(given, by), why).toMatchObject({ exit: 3, redeemed: false, why })
    expect(came).toEqual([])
    expect(await ask(await invite(email, -290_000))).toMatchObject({ redeemed: true })
    const revoked = await invite('eve@example.com')
    await revoke(store.invitations, { email: 'eve@example.com', linkKey }, listening().out)
    expect(await ask(revoked, 'eve@example.com')).toMatchObject({ why: 'revoked' })
    await store.standings.forget('eve@example.com')
    expect(await ask(revoked, 'eve@example.com')).toMatchObject({ why: 'unknown' })
    expect(await ask(code)).toMatchObject({ redeemed: true })
  })

  it('lets its reader in also where it cannot be kept that they came', async () => {
    const { store, codes, invite } = await stage()
    const fails = () => Promise.reject(new Error('the disk is full'))
    const given = { email, code: await invite(), codes, noteCame: fails }
    expect(await redeem(store.invitations, given, listening().out)).toBe(0)
  })

  it('names neither code nor address in what it says', async () => {
    const { store, codes, invite } = await stage()
    const given = [await invite(), 'A'.repeat(122), SAMPLE_CODE, await invite(email, -day)]
    const by = [email, email, 'ada@example..com', '@ada'].flatMap((one) =>
      given.map((code) => [one, code] as const),
    )
    for (const [reader, code] of by) {
      const { out, said, result } = listening()
      await redeem(store.invitations, { email: reader, code, codes, noteCame }, out)
      const text = said.join() + result()
      expect(text).toMatch(/^(Redeemed|Refused: )/)
      expect(text).not.toContain(code)
      expect(text).not.toMatch(/@|ada/)
    }
  })
})

describe('invitations', () => {
  it('lists whom, until when and what came of it, and counts', async () => {
    const { store, place, invite } = setUp()
    const codes = await signing(store.invitations, place)
    await invite(codes)
    await invite(codes, 'late@example.com', -day)
    const code = await invite(codes, 'in@example.com')
    await redeem(
      store.invitations,
      { email: 'in@example.com', code, codes, noteCame },
      listening().out,
    )
    await invite(codes, 'out@example.com')
    await revoke(store.invitations, { email: 'out@example.com', linkKey }, listening().out)

    const list = async (options = {}) => {
      const { out, result, said } = listening()
      await listInvitations(store.invitations, options, out)
      return { result: result(), said: said.join() }
    }
    const { result, said } = await list()
    expect(result.split('\n').toSorted().slice(1)).toEqual([
      expect.stringMatching(/^expired \d{4}-\d\d-\d\d \d\d:\d\d +ready {2}late@example\.com$/),
      expect.stringMatching(/^open, until \d{4}-\d\d-\d\d \d\d:\d\d +ready {2}ada@example\.com$/),
      expect.stringMatching(/^redeemed \d{4}-\d\d-\d\d \d\d:\d\d +ready {2}in@example\.com$/),
      expect.stringMatching(/^revoked \d{4}-\d\d-\d\d \d\d:\d\d +ready {2}out@example\.com$/),
    ])
    expect(said).toBe('4 invitations: 1 open, 1 expired, 1 redeemed, 1 revoked.')
    expect((await list({ announcement: 'other' })).said).toBe('No invitations.')
    const lines = (await list({ state: 'revoked', json: true })).result.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        email: 'out@example.com',
        state: 'revoked',
        id: expect.any(String),
      }),
    ])
    const { out, result: found } = listening()
    await find(store, { email: 'in@example.com', linkKey }, out)
    expect(found()).toMatch(
      /invitation +redeemed \d{4}-\d\d-\d\d \d\d:\d\d, of the announcement ready/,
    )
    expect(result + said + found()).not.toMatch(/[\w-]{122}/)
  })

  it('revokes what was not redeemed, and says what a product has to do', async () => {
    const { store, place, invite } = setUp()
    const codes = await signing(store.invitations, place)
    const take = async (json = false) => {
      const { out, result, said } = listening()
      return {
        exit: await revoke(store.invitations, { email, linkKey, json }, out),
        text: result() + said.join(' '),
      }
    }
    expect(await take()).toEqual({ exit: 3, text: 'This address has no invitation.\n' })
    await invite(codes)
    expect(await take()).toMatchObject({
      exit: 0,
      text: expect.stringMatching(/^1 invitation revoked\.\n.*does not hear of that/),
    })
    expect((await take()).text).toContain('1 invitation had been revoked before.')
    await redeem(
      store.invitations,
      { email, code: await invite(codes), codes, noteCame },
      listening().out,
    )
    expect(await take()).toMatchObject({
      exit: 3,
      text: expect.stringContaining('had been redeemed'),
    })
    expect(JSON.parse((await take(true)).text)).toEqual({
      revoked: 0,
      revokedBefore: 1,
      redeemed: 1,
    })
  })
})
