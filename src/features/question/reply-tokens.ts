import { randomBytes } from 'node:crypto'
import { purposeKey } from '../../keys/address-id.ts'
import { sealed, unsealed } from '../../keys/sealed.ts'
import { EMAIL_MAX_LENGTH } from '../../shared/email.ts'

/** A sign-up that may reply to the question of the page. */
export interface Replying {
  /** As `parseEmail` returns it. */
  readonly email: string
  /** That of their sign-up, as `replyKey` makes it. */
  readonly key: string
}

/**
 * Tokens that let somebody who just signed up reply to the question of the page. They are sealed, so that
 * nobody reads in them who was on the list, and are equally long.
 */
export interface ReplyTokens {
  seal(replying: Replying): string
  /** @returns nothing for a token that we did not seal, or that is older than an hour. */
  open(token: string): Replying | undefined
}

const LIFETIME_MS = 3_600_000
const KEY = 16
/** The end in milliseconds, the key, and an address with zeros behind it. */
const HEAD = 6 + KEY
/** Of an address in bytes: a character has up to four. */
const PLAIN_BYTES = HEAD + 4 * EMAIL_MAX_LENGTH

/** Another for each sign-up. */
export const replyKey = () => randomBytes(KEY).toString('base64url')

/** @param linkKey the secret `LINK_KEY`. */
export function replyTokens(linkKey: Buffer, now = Date.now): ReplyTokens {
  const key = purposeKey(linkKey, 'answer')
  return {
    seal({ email, key: own }) {
      const plain = Buffer.alloc(PLAIN_BYTES)
      plain.writeUIntBE(now() + LIFETIME_MS, 0, 6)
      plain.write(own, 6, 'base64url')
      plain.write(email, HEAD)
      return sealed(key, plain)
    },

    open(token) {
      const plain = unsealed(key, token)
      if (plain?.length !== PLAIN_BYTES) return undefined
      if (plain.readUIntBE(0, 6) < now()) return undefined
      const email = plain.subarray(HEAD).toString().replace(/\0+$/, '')
      return { email, key: plain.toString('base64url', 6, HEAD) }
    },
  }
}
