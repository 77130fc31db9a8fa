import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { deskTokens, newDeskSecret } from '../../keys/desk-tokens.ts'
import { objectIn } from '../../shared/stored-json.ts'
import {
  type DeskChallenge,
  type DeskPasskey,
  passkeyOfDevice,
  sessionIn,
} from '../../store/desk-access.ts'
import type { DeskAccess } from '../../store/store.ts'
import { lastOf, newSession } from './sessions.ts'

/** The place that passkeys belong to: an origin, and the name of its host. */
export interface PasskeyPlace {
  readonly origin: string
  readonly host: string
}

/** How long the operator may take for their finger or their PIN. */
const CHALLENGE_MS = 5 * 60_000
/** Of one device, or one session: asking for more ends only its own. */
const MOST_CHALLENGES = 20
/** Sessions of one passkey. A new one ends its oldest one, and never a session of another kind. */
const MOST_SESSIONS = 5
export const MOST_PASSKEYS = 20

/** In order of preference, as COSE numbers them: Ed25519, ECDSA on P-256, RSA. */
const ALGORITHMS = [-8, -7, -257]

/**
 * Where passkeys work: on https, and on this machine. Browsers know them by a name, so not by an IP
 * address.
 *
 * @param host of the request. @returns nothing where they do not.
 */
export function passkeyPlace(publicUrl: string | null, host: string): PasskeyPlace | undefined {
  const url = URL.parse(publicUrl ?? `http://${host}`)
  if (!url || /^[\d.]+$|^\[/.test(url.hostname)) return undefined
  if (url.protocol !== 'https:' && url.hostname !== 'localhost') return undefined
  return { origin: url.origin, host: url.hostname }
}

/** Keeps a challenge; a device that signs it soon, and once, is let in. @throws StoreUnavailable */
async function challengeFor(access: DeskAccess, whom: DeskChallenge['for']): Promise<string> {
  const challenge = newDeskSecret()
  await access.change((found, now) => {
    const one = { challenge, until: now + CHALLENGE_MS, for: whom }
    const isOfSame = (each: DeskChallenge) => isDeepStrictEqual(each.for, whom)
    const challenges = [...lastOf(found.challenges, isOfSame, MOST_CHALLENGES - 1), one]
    return { result: undefined, state: { ...found, challenges } }
  })
  return challenge
}

/** What `navigator.credentials.create` needs. @throws StoreUnavailable */
export async function passkeyToAdd(
  access: DeskAccess,
  place: PasskeyPlace,
  { session, product, device }: { session: string; product: string; device: string },
) {
  const name = `${product} desk, ${device}`
  return {
    rp: { name: product, id: place.host },
    // A new id each time: a known one would replace the passkey of another device.
    user: { id: randomBytes(16).toString('base64url'), name, displayName: name },
    challenge: await challengeFor(access, { session }),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MS,
    attestation: 'none',
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  }
}

/** What `navigator.credentials.get` needs on a device. @throws StoreUnavailable */
export async function passkeyToShow(access: DeskAccess, place: PasskeyPlace, device: string) {
  const passkey = passkeyOfDevice(await access.read(), device)
  return {
    rpId: place.host,
    challenge: await challengeFor(access, { device }),
    allowCredentials: passkey
      ? [{ type: 'public-key', id: passkey.id, transports: passkey.transports }]
      : [],
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  }
}

/**
 * Takes a challenge, so that no other answer to it counts. It is removed only when the answer has
 * led to something, so that ending all sessions meanwhile ends this sign-in as well.
 */
function take(
  access: DeskAccess,
  challenge: string,
  isFor: (whom: DeskChallenge['for']) => boolean,
) {
  return access.change((found) => {
    const one = found.challenges.find(
      (each) => each.challenge === challenge && !each.isTaken && isFor(each.for),
    )
    if (!one) return { result: false }
    const challenges = found.challenges.map((each) =>
      each === one ? { ...each, isTaken: true } : each,
    )
    return { result: true, state: { ...found, challenges } }
  })
}

/**
 * Keeps a new passkey of a session's device.
 *
 * @param known the device's id, where it has one: its passkey is replaced.
 * @returns the token for the cookie of the device; nothing for an answer that does not count.
 * @throws StoreUnavailable
 */
export async function addPasskey(
  access: DeskAccess,
  linkKey: Buffer,
  place: PasskeyPlace,
  given: { session: string; answer: unknown; name: string; known: string | undefined },
): Promise<string | undefined> {
  const { session, name, known } = given
  const answer = given.answer as RegistrationResponseJSON
  const challenge = challengeIn(answer)
  const isOurs = (whom: DeskChallenge['for']) => 'session' in whom && whom.session === session
  if (!challenge || !(await take(access, challenge, isOurs))) return undefined
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { registrationInfo } = await orUnverified(
    verifyRegistrationResponse({
      response: answer,
      expectedChallenge: challenge,
      supportedAlgorithmIDs: ALGORITHMS,
      expectedOrigin: place.origin,
      expectedRPID: place.host,
    }),
  )
  if (!registrationInfo) return undefined
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  const tokens = deskTokens(linkKey)
  const token = tokens.make('device')
  return access.change((found, now) => {
    const isStill = found.challenges.some((one) => one.challenge === challenge)
    if (!isStill || !sessionIn(found, session, now)) return { result: undefined }
    const passkey: DeskPasskey = {
      id,
      counter,
      transports,
      name,
      addedAt: now,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      deviceId: String(tokens.idOf('device', token)),
    }
    const others = found.passkeys.filter((one) => one.id !== id && one.deviceId !== known)
    if (others.length >= MOST_PASSKEYS) return { result: undefined }
    return {
      result: token,
      state: {
        ...found,
        passkeys: [...others, passkey],
        challenges: found.challenges.filter((one) => one.challenge !== challenge),
      },
    }
  })
}

/**
 * Opens a session with the passkey of a device.
 *
 * @param device the id of the device. @param called such as `Chrome on Android`.
 * @returns the session's token; nothing for an answer that does not count. @throws StoreUnavailable
 */
export async function openWithPasskey(
  access: DeskAccess,
  linkKey: Buffer,
  place: PasskeyPlace,
  given: { device: string; answer: unknown; called: string },
): Promise<string | undefined> {
  const { device, called } = given
  const answer = given.answer as AuthenticationResponseJSON
  const challenge = challengeIn(answer)
  const isOurs = (whom: DeskChallenge['for']) => 'device' in whom && whom.device === device
  if (!challenge || !(await take(access, challenge, isOurs))) return undefined
  const passkey = passkeyOfDevice(await access.read(), device)
  if (!passkey || passkey.id !== answer.id) return undefined
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { verified, authenticationInfo } = await orUnverified(
    verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.host,
      credential: {
        id: passkey.id,
        counter: passkey.counter,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      },
    }),
  )
  if (!verified || !authenticationInfo) return undefined
  const tokens = deskTokens(linkKey)
  const token = tokens.make('session')
  const id = String(tokens.idOf('session', token))
  return access.change((found, now) => {
    const isStill = found.challenges.some((one) => one.challenge === challenge)
    const kept = passkeyOfDevice(found, device)
    if (!isStill || kept?.id !== passkey.id) return { result: undefined }
    const counter = authenticationInfo.newCounter
    // Meanwhile another sign-in was accepted: WebAuthn 7.2, as it stands now. Many keys always say 0.
    if (counter <= kept.counter && (counter > 0 || kept.counter > 0)) return { result: undefined }
    const session = { ...newSession(id, 'passkey', called, now), passkey: passkey.id }
    return {
      result: token,
      state: {
        ...found,
        sessions: [
          ...lastOf(found.sessions, (one) => one.passkey === passkey.id, MOST_SESSIONS - 1),
          session,
        ],
        passkeys: found.passkeys.map((one) =>
          one === kept ? { ...one, counter, usedAt: now } : one,
        ),
        challenges: found.challenges.filter((one) => one.challenge !== challenge),
      },
    }
  })
}

/** The challenge that the browser says was signed. The signature is checked later. */
function challengeIn(answer: { response?: { clientDataJSON?: unknown } } | undefined) {
  const text = Buffer.from(String(answer?.response?.clientDataJSON), 'base64url').toString()
  const challenge = objectIn(text)?.challenge
  return typeof challenge === 'string' ? challenge : undefined
}

/** The library throws for everything that does not fit: none of these answers counts. */
async function orUnverified<T extends { verified: boolean }>(verifying: Promise<T>) {
  return verifying.catch(() => ({ verified: false as const })) as Promise<
    T | { verified: false; registrationInfo?: undefined; authenticationInfo?: undefined }
  >
}
