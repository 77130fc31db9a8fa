/** A break without a width. */
const BREAK = '\u200b'

/** What begins a phrase though it is written in hiragana. */
const openers =
  /^(?:もう|しばらく|まだ|また|または|まもなく|やはり|ひとつ|いち|すべて|これ|それ|この|その|ここ|そこ|どの|ありがとう)/
/** A polite お or ご by itself, as before katakana; with kanji, those tell. */
const polite = /^[おご]$/
/** What belongs to the word after it. */
const prefixes = /^(?:お|ご|もう|いち|あと|受け|取り|引き|申し)$/
/** After these a phrase can end: particles and endings are in hiragana. */
const ends = /[\p{Script=Hiragana}、。！？：；）」』]$/u
/** What is said of the word after it, such as 小さな: both are one phrase. */
const adjective = /な$/
/** With these a word begins. */
const begins = /^[\p{Script=Han}\p{Script=Katakana}\p{Letter}\p{Number}（「『{]/u

/** A number and what it counts. */
const counted = /(?<=\d) (?=\p{Script=Han})/gu
/** The hyphens after few letters, such as in "E-Mail-Adresse" or "peut-être". */
const shortParts = /(?<=(?<!\p{L})\p{L}{1,4}-)(?=\p{L})/gu
/** Here no line ends. */
const JOIN = '\u2060'

/**
 * Puts breaks without a width between the phrases of Japanese sentences, for browsers that know no phrases
 * and would break within a word. What a phrase is, is guessed from its words: it begins with a word, and
 * ends with the hiragana after it. In other languages, no line ends after the hyphen of "E-Mail".
 *
 * @param said a sentence, or several by name. @param language as BCP 47 has it; what is in English stays
 *   as it is.
 */
export function phrased<Said extends string | Readonly<Record<string, string>>>(
  said: Said,
  language = 'en',
): Said {
  if (/^en\b/.test(language)) return said
  const set = /^ja\b/.test(language) ? breakUp : join
  if (typeof said === 'string') return set(said) as Said
  return Object.fromEntries(Object.entries(said).map(([name, text]) => [name, set(text)])) as Said
}

/** What was set in phrases, as it was written: for those who get the text itself. */
export const unphrased = (text: string) =>
  text
    .replaceAll(BREAK, '')
    .replaceAll(JOIN, '')
    .replace(/(\d)\u00a0(\p{Script=Han})/gu, '$1 $2')

const join = (text: string) => text.replaceAll(shortParts, JOIN)

function breakUp(text: string): string {
  let before = ''
  let made = ''
  for (const { segment } of new Intl.Segmenter('ja', { granularity: 'word' }).segment(text)) {
    const isWord = /^\p{Script=Hiragana}/u.test(segment)
      ? openers.test(segment) || polite.test(segment) || /\p{Script=Han}/u.test(segment)
      : begins.test(segment)
    if (isWord && ends.test(before) && !prefixes.test(before))
      made += adjective.test(before) ? JOIN : BREAK
    made += segment
    before = segment
  }
  return made.replaceAll(counted, '\u00a0')
}
