import { CODE, type Letter } from '../mail/letter/letter.ts'
import { CODE_SLOT, letterBody, plainText, renderLetter } from '../mail/letter/render.ts'
import type { Finding } from '../shared/finding.ts'
import { plainLine } from '../shared/plain-line.ts'
import type { Product } from '../shared/product.ts'
import { ask } from './ask.ts'
import { elementsIn } from './elements.ts'

const verdict = 'problem'
/**
 * Most bytes of HTML: Gmail cuts a letter at 102 kB, as senders measured, and with its end the link
 * to unsubscribe.
 */
const LONGEST_HTML = 100_000

const isSafe = (to: string) => /^https:\/\//i.test(to)
const isWhole = (to: string) => /^(?:https?:\/\/[^/]|mailto:.|tel:.)/i.test(to)
const hasCode = (to: string) => to.includes(CODE_SLOT)
function hasCodeInHost(to: string): boolean {
  const { host = '', username = '', password = '' } = URL.parse(to) ?? {}
  return hasCode(`${username} ${password} ${host}`)
}

/**
 * Where a link or a picture may not lead. It must be whole, since a letter has no address that it
 * could be relative to. A code in it must reach its reader alone.
 */
const wrongTargets = [
  ['letter-link', 'a', (to) => !isWhole(to)],
  ['letter-picture', 'img', (from) => !hasCode(from) && !isSafe(from)],
  ['letter-code-in-picture', 'img', hasCode],
  ['letter-code-in-the-open', 'a', (to) => hasCode(to) && !isSafe(to)],
  ['letter-code-in-host', 'a', (to) => isSafe(to) && hasCodeInHost(to)],
] as const satisfies [Finding['code'], 'a' | 'img', (target: string) => boolean][]

/**
 * Looks for links and pictures that would not work in a mailbox, and for what would keep a letter,
 * or its code, from being read.
 *
 * @param isPicture whether a picture is at an address; by default it is fetched.
 */
export async function checkLetter(
  letter: Letter,
  product: Product,
  isPicture = findPicture,
): Promise<Finding[]> {
  const body = letterBody(letter)
  const targets = { a: targetsIn(body, 'a', 'href'), img: targetsIn(body, 'img', 'src') }
  const found = wrongTargets.flatMap(([code, of, isWrong]) =>
    targets[of].filter(isWrong).map((to): Finding => ({ code, verdict, about: named(to) })),
  )
  // A picture with a code in its address is not fetched.
  const fetched = targets.img.filter((from) => isSafe(from) && !hasCode(from))
  const isThere = await Promise.all(fetched.map(isPicture))
  for (const from of fetched.filter((_, i) => !isThere[i]))
    found.push({ code: 'letter-no-picture', verdict, about: named(from) })
  const words = plainText(body)
  if (words.trim() === '') found.push({ code: 'letter-no-words', verdict })
  if (letter.codeDays !== undefined && !hasCode(words))
    found.push({ code: 'letter-code-unseen', verdict })
  const links = { unsubscribe: 'https://unsubscribe', button: 'https://button' }
  const bytes = Buffer.byteLength(renderLetter(letter, product, 'cid:logo').html(links, ''))
  if (bytes > LONGEST_HTML) found.push({ code: 'letter-too-long', verdict, bytes })
  return found
}

const named = (target: string) => plainLine(target.replaceAll(CODE_SLOT, CODE), 80)

/** What the elements of a letter point to. */
const targetsIn = (html: string, element: string, attribute: string) =>
  elementsIn(html).flatMap(({ name, attributes }) => {
    const to = attributes[attribute]
    return name === element && to !== undefined ? [to] : []
  })

/** Whether a picture is served at an address. */
export async function findPicture(url: string): Promise<boolean> {
  const { status, headers } = await ask(url)
  const isPicture = headers.get('content-type')?.startsWith('image/') ?? false
  return status >= 200 && status < 300 && isPicture
}
