import { INVITATION, type Letter } from '../../mail/letter/letter.ts'
import { INVITATION_SLOT, letterBody, plainText } from '../../mail/letter/render.ts'
import type { Finding } from '../../shared/finding.ts'
import { plainLine } from '../../shared/plain-line.ts'
import { targets } from './targets.ts'

const what = 'Invitation'

/** Looks for places in a letter where its invitation would not be safe, or reach nobody. */
export function checkInvitationPlaces(letter: Letter): Finding[] {
  if (letter.invitationDays === undefined) return []
  const body = letterBody(letter)
  const isIn = (target: string) => target.includes(INVITATION_SLOT)
  const pictures = targets(body, 'img', 'src').filter(isIn)
  const links = targets(body, 'a', 'href').filter(isIn)
  const problems = [
    ...pictures.map(
      (from) =>
        `the picture "${named(from)}" has the code in its address: mail programs would ask for it without a click; put the code into a link`,
    ),
    ...links.flatMap((to) => linkProblem(to) ?? []),
    ...(plainText(body).includes(INVITATION_SLOT)
      ? []
      : [`${INVITATION} is where nobody sees it: put it into a link, or into the text`]),
  ]
  return problems.map((detail) => ({ what, verdict: 'problem', detail }))
}

function linkProblem(to: string): string | undefined {
  if (!/^https:\/\//i.test(to))
    return `the link "${named(to)}" would carry the code in the open; write https://…`
  const { host, username, password } = URL.canParse(to) ? new URL(to) : noUrl
  if (`${username} ${password} ${host}`.includes(INVITATION_SLOT))
    return `the link "${named(to)}" has the code in the name of its server, which every network on the way sees; put it behind, as in https://app.example.com/join?code=${INVITATION}`
  return undefined
}

const noUrl = { host: '', username: '', password: '' }

const named = (target: string) => plainLine(target.replaceAll(INVITATION_SLOT, INVITATION), 80)
