import { Refused } from './refused.mjs'
import { findProductMistakes } from './rules/product.js'

/** @import { Words } from './answers.mjs' */

const LONGEST_DESCRIPTION = 200

/**
 * A product with these words and everything else as it may stay.
 *
 * @param {Words} words
 */
export function productOf({ name, pitch }) {
  const promise = `${pitch} Be the first to know when ${name} opens.`
  return {
    name,
    pitch,
    description: promise.length > LONGEST_DESCRIPTION ? pitch : promise,
    logo: 'brand/logo.svg',
    emailPlaceholder: 'you@example.com',
    appId: slugOf(name),
  }
}

/**
 * Refuses words that the page would refuse, by the same rule.
 *
 * @param {Words} words
 * @throws {Refused}
 */
export function checkWords(words) {
  const mistakes = findProductMistakes(productOf(words))
  // Fields that are made of these have the same mistakes.
  const theirs = mistakes.filter((mistake) => /^(name|pitch):/.test(mistake))
  if (theirs.length > 0) throw new Refused(theirs.join('\n'))
}

/**
 * A name for folders, packages and collections.
 *
 * @param {string} text
 */
export function slugOf(text) {
  const plain = text.normalize('NFKD').toLowerCase()
  const slug = plain.replace(/\p{M}/gu, '').replace(/[^a-z0-9]+/g, '-')
  return (
    slug
      .replace(/^-+|-+$/g, '')
      .slice(0, 60)
      .replace(/-$/, '') || 'my-product'
  )
}
