import type { Letter } from '../../mail/letter/letter.ts'
import { INVITATION_SLOT, letterBody, plainText } from '../../mail/letter/render.ts'
import type { Finding } from '../../shared/finding.ts'
import { plainLine } from '../../shared/plain-line.ts'
import type { Product } from '../../shared/product.ts'
import { checkInvitationPlaces } from './invitation-check.ts'
import { targets } from './targets.ts'

const WAIT_MS = 10_000
const what = 'Letter'

/**
 * Looks for what would not work in a mailbox: a mail has no address of its own that links and
 * pictures could begin from.
 *
 * @param isPicture whether there is one at an address; else asks for it.
 */
export async function checkLetter(
  letter: Letter,
  product: Product,
  isPicture = findPicture,
): Promise<Finding[]> {
  const body = letterBody(letter)
  const links = targets(body, 'a', 'href').filter((target) => !isWhole(target))
  // One with a code in its address is a problem by itself, and is asked for by nobody.
  const pictures = targets(body, 'img', 'src').filter((from) => !from.includes(INVITATION_SLOT))
  const problems = [
    ...links.map(
      (to) => `a link leads to "${plainLine(to, 80)}"; write its whole address, https://…`,
    ),
    ...(await Promise.all(pictures.map((from) => pictureProblem(from, isPicture)))).flat(),
    ...(plainText(body).trim() === ''
      ? ['it has no words: who sees no pictures gets an empty letter']
      : []),
  ]
  const findings = [
    ...problems.map((detail): Finding => ({ what, verdict: 'problem', detail })),
    ...checkInvitationPlaces(letter),
  ]
  return product.postalAddress ? findings : [...findings, noAddress]
}

const noAddress: Finding = {
  what,
  verdict: 'note',
  detail:
    'names no postal address; CAN-SPAM (16 CFR 316) wants one in commercial mail to the USA: postalAddress in product.config.ts',
}

async function pictureProblem(
  from: string,
  isPicture: (url: string) => Promise<boolean>,
): Promise<string[]> {
  const name = plainLine(from, 80)
  if (!/^https:\/\//i.test(from))
    return [`the picture "${name}" is not on the web; put it on a server, and write https://…`]
  return (await isPicture(from)) ? [] : [`there is no picture at ${name}`]
}

/** Whether a picture is served at an address. */
export async function findPicture(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) })
    await answer.body?.cancel()
    return answer.ok && (answer.headers.get('content-type') ?? '').startsWith('image/')
  } catch {
    return false
  }
}

function isWhole(target: string): boolean {
  return /^(?:https?:\/\/[^/]|mailto:.|tel:.)/i.test(target)
}
