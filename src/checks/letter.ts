import { INVITATION, type Letter } from '../mail/letter/letter.ts'
import { INVITATION_SLOT, letterBody, plainText, renderLetter } from '../mail/letter/render.ts'
import type { Found } from '../shared/found.ts'
import { plainLine } from '../shared/plain-line.ts'
import type { Product } from '../shared/product.ts'
import { ask } from './ask.ts'
import { elementsIn } from './elements.ts'
import { checkPostalAddress } from './mail.ts'

const verdict = 'problem'
/**
 * Most bytes of HTML: Gmail cuts a letter at 102 kB, as senders measured, and with its end the link
 * to unsubscribe.
 */
const LONGEST_HTML = 100_000

/**
 * Looks for links and pictures that would not work in a mailbox: they must be whole, since a letter
 * has no address that they could be relative to.
 *
 * @param isPicture whether a picture is at an address; by default it is fetched.
 */
export async function checkLetter(
  letter: Letter,
  product: Product,
  isPicture = findPicture,
): Promise<Found[]> {
  const body = letterBody(letter)
  const links = targets(body, 'a', 'href').filter((target) => !isWhole(target))
  // A picture with a code in its address is a problem by itself, and is not fetched.
  const pictures = targets(body, 'img', 'src').filter((from) => !hasCode(from))
  return [
    ...links.map((to): Found => ({ code: 'letter-link', verdict, about: plainLine(to, 80) })),
    ...(await Promise.all(pictures.map((from) => pictureProblem(from, isPicture)))).flat(),
    ...(plainText(body).trim() === '' ? [{ code: 'letter-no-words', verdict } as const] : []),
    ...checkInvitationPlaces(letter),
    ...checkLength(letter, product),
    ...checkPostalAddress(product),
  ]
}

function checkLength(letter: Letter, product: Product): Found[] {
  const links = { unsubscribe: 'https://unsubscribe', button: 'https://button' }
  const bytes = Buffer.byteLength(renderLetter(letter, product, 'cid:logo').html(links, ''))
  return bytes > LONGEST_HTML ? [{ code: 'letter-too-long', verdict, bytes }] : []
}

async function pictureProblem(
  from: string,
  isPicture: (url: string) => Promise<boolean>,
): Promise<Found[]> {
  const about = plainLine(from, 80)
  if (!/^https:\/\//i.test(from)) return [{ code: 'letter-picture', verdict, about }]
  return (await isPicture(from)) ? [] : [{ code: 'letter-no-picture', verdict, about }]
}

/** Looks for places in a letter where its invitation would not be safe, or not reach its reader. */
export function checkInvitationPlaces(letter: Letter): Found[] {
  if (letter.invitationDays === undefined) return []
  const body = letterBody(letter)
  return [
    ...targets(body, 'img', 'src')
      .filter(hasCode)
      .map((from): Found => ({ code: 'invitation-in-picture', verdict, about: named(from) })),
    ...targets(body, 'a', 'href').filter(hasCode).flatMap(linkProblem),
    ...(plainText(body).includes(INVITATION_SLOT)
      ? []
      : [{ code: 'invitation-unseen', verdict } as const]),
  ]
}

function linkProblem(to: string): Found[] {
  const about = named(to)
  if (!/^https:\/\//i.test(to)) return [{ code: 'invitation-in-the-open', verdict, about }]
  const { host = '', username = '', password = '' } = URL.parse(to) ?? {}
  return hasCode(`${username} ${password} ${host}`)
    ? [{ code: 'invitation-in-host', verdict, about }]
    : []
}

const hasCode = (target: string) => target.includes(INVITATION_SLOT)

const named = (target: string) => plainLine(target.replaceAll(INVITATION_SLOT, INVITATION), 80)

/** What the elements of a letter point to. */
const targets = (html: string, element: string, attribute: string) =>
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

function isWhole(target: string): boolean {
  return /^(?:https?:\/\/[^/]|mailto:.|tel:.)/i.test(target)
}
