import type { Refusal } from '../store/refusal.ts'
import data from './refusals.json' with { type: 'json' }

/** As much of an answer as is read, in characters. */
const MOST_READ = 2000

/** Addresses, links and names of hosts, which may hold any word. */
const NAMES = /\S+@\S+|\bhttps?:\/\/\S+|\b(?=[\w.-]*[a-z])[\w-]+(?:\.[\w-]+){2,}/g
/** A code of RFC 3463, and no part of an IP address. */
const CODES = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/g
/** A reply of RFC 5321. */
const REPLY = /(?<![\d.])[245]\d\d(?![\d.])/
/** Codes of a success, and those that name at most the subject. */
const UNSPECIFIC = /^(?:2|.\.0\.|.\.[12]\.0$)/
/** The name that was looked up in vain: another than the recipient's domain is the route's. */
const LOOKED_UP = /(?:service error for name=|name server: |any host named )([\w.-]*[\w-])/

/** Without accents, which many servers leave out. */
const plain = (text: string) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

/** A phrase begins where a word does; `…` stands for a few words. */
function anyOf(phrases: readonly string[]): RegExp {
  const patterns = phrases.map((phrase) =>
    plain(phrase)
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace('…', '.{1,60}?'),
  )
  return new RegExp(`(?<!\\p{Script=Latin})(?:${patterns.join('|')})`, 'gu')
}

const phrases = {
  nothing: anyOf(data.phrases.nothing),
  other: anyOf(data.phrases.other),
  full: anyOf(data.phrases.full),
  gone: anyOf(data.phrases.gone),
}

/**
 * Reads an answer of a mail server, with or without codes, in the languages of `refusals.json`. Its
 * words are more specific than its codes, and in doubt it is not the reader's fault.
 *
 * @param domain the recipient's. @returns `undefined` for an answer that says nothing specific.
 */
export function refusalOf(answer: string, domain: string): Refusal | undefined {
  const whole = answer.slice(0, MOST_READ)
  const codes = whole.match(CODES) ?? []
  const text = plain(whole).replaceAll(/\s+/g, ' ')
  const [, lookedUp = domain] = LOOKED_UP.exec(text) ?? []
  const words = text.replaceAll(NAMES, ' ').replaceAll(phrases.nothing, ' ')
  const kinds = [lookedUp === domain ? [] : 'other', ofWords(words) ?? codes.map(ofCode)].flat(2)
  const found = mildest(kinds)
  const [permanence] = (REPLY.exec(whole) ?? codes)[0] ?? []
  // A server that is sure that there is no such mailbox refuses for good.
  return found === 'gone' && permanence === '4' ? 'other' : found
}

/** @returns of several, what is most in the reader's favour. */
export const mildest = (found: readonly unknown[]): Refusal | undefined =>
  mildestFirst.find((kind) => found.includes(kind))

const mildestFirst = ['other', 'full', 'gone'] as const
const ofWords = (words: string) => mildestFirst.find((kind) => words.search(phrases[kind]) >= 0)

function ofCode(code: string): Refusal | [] {
  if (UNSPECIFIC.test(code)) return []
  if (code in data.codes.gone) return 'gone'
  return code in data.codes.full ? 'full' : 'other'
}
