import { firstNameIn } from '../people/first-name.ts'
import { languageIn, replyIn } from '../people/known-fields.ts'
import { consentIn } from '../people/pending.ts'
import type { Standing } from '../people/standing.ts'
import type { ListedSubscriber } from '../store/subscriber-list.ts'
import type { Tool } from './format-names.ts'
import { csvCell } from './formats.ts'
import data from './tools.json' with { type: 'json' }

/** What a column of `tools.json` may have. */
const cells = {
  email: ({ email }) => csvCell(email),
  firstName: ({ extra }) => csvCell(firstNameIn(extra) ?? ''),
  language: ({ extra }) => csvCell(languageIn(extra) ?? ''),
  subscribedAt: ({ subscribedAt }) => subscribedAt.toISOString(),
  confirmedAt: ({ extra }) => consentIn(extra)?.confirmedAt ?? '',
  consent: ({ extra }) => csvCell(clipped(consentIn(extra)?.words ?? '')),
  reply: ({ extra }) => csvCell(clipped(replyIn(extra) ?? '')),
  standing: ({ standing }) => standing,
  standingAt: ({ standingAt }) => standingAt?.toISOString() ?? '',
  // What Kit's API calls those who left.
  kitState: ({ standing }) => (standing === 'unsubscribed' ? 'cancelled' : standing),
  attributes: (one) => csvCell(JSON.stringify(attributesOf(one))),
} satisfies Record<string, (one: ListedSubscriber) => string>

export interface ToolFile {
  readonly name: string
  /** Whom it has. Nobody else leaves: not who is quarantined, and not who took back their yes. */
  readonly standings: readonly Standing[]
  readonly columns: Readonly<Record<string, keyof typeof cells>>
}

export const filesFor = data.files as Readonly<Record<Tool, readonly ToolFile[]>>

/** The cells of somebody in such a file. */
export const cellsIn = ({ columns }: ToolFile, one: ListedSubscriber) =>
  Object.values(columns).map((name) => cells[name](one))

function attributesOf({ subscribedAt, standing, standingAt, extra }: ListedSubscriber) {
  const language = languageIn(extra)
  const consent = consentIn(extra)
  const reply = replyIn(extra)
  return {
    subscribed_at: subscribedAt,
    ...(language && { language }),
    ...(reply && { reply }),
    ...(consent && { consent_at: consent.confirmedAt, consent: consent.words }),
    ...(standing !== 'subscribed' && { standing, standing_at: standingAt }),
  }
}

/** As many whole characters of a text as Mailchimp keeps bytes. */
const clipped = (text: string) =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(255)).read)
