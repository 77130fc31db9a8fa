import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { keyedHash } from './address-id.ts'

/** The kind of a token: a token of one kind is invalid for the others. */
export type DeskTokenKind = 'link' | 'session'

/**
 * The secrets of the desk. Each holds a signature, so that a guess is refused without a look into
 * the store.
 */
export interface DeskTokens {
  /** 256 random bits and a signature. */
  make(kind: DeskTokenKind): string
  /** @returns its id in the store, a hash; `undefined` for a token that we did not sign. */
  idOf(kind: DeskTokenKind, token: string): string | undefined
}

const RANDOM_BYTES = 32
const TOKEN = /^[\w-]{65}$/
const RANDOM_LENGTH = 43

/** @param linkKey the secret `LINK_KEY`. */
export function deskTokens(linkKey: Buffer): DeskTokens {
  const signatures = {
    link: keyedHash(linkKey, 'desk-link'),
    session: keyedHash(linkKey, 'desk-session'),
  }
  const sign = (kind: DeskTokenKind, random: string) => random + signatures[kind](random)
  return {
    make: (kind) => sign(kind, randomBytes(RANDOM_BYTES).toString('base64url')),
    idOf(kind, token) {
      if (!TOKEN.test(token)) return undefined
      const signed = sign(kind, token.slice(0, RANDOM_LENGTH))
      if (!timingSafeEqual(Buffer.from(signed), Buffer.from(token))) return undefined
      return hash('sha256', token, 'base64url')
    },
  }
}

/** A secret of 256 random bits, which no table of hashes can hold. */
export const newDeskSecret = () => randomBytes(RANDOM_BYTES).toString('base64url')

/** The secret in a pasted text, which may be a whole link. */
export const pastedSecret = (text: string) => text.trim().replace(/^.*#/, '')

export const hashOfSecret = (secret: string) => hash('sha256', secret, 'base64url')

/** What tells a desk from all others, also from a second one with a copied key, in eight characters. */
export const deskName = (linkKey: Buffer, appId: string) =>
  keyedHash(linkKey, 'desk-name')(appId).slice(0, 8)

/** What the pages of a session ask for its events by. It stands in an address, so it is good for nothing else. */
export function deskEventsKey(linkKey: Buffer): (sessionId: string) => string {
  return keyedHash(linkKey, 'desk-events')
}

/** The token that every post of a session carries. @returns 22 characters of base64url. */
export function deskCsrf(linkKey: Buffer): (sessionId: string) => string {
  return keyedHash(linkKey, 'desk-csrf')
}
