import { answerIn } from '../store/answers.ts'
import { firstNameIn } from '../store/first-name.ts'
import { languageIn } from '../store/language.ts'
import { consentIn } from '../store/pending.ts'
import type { Standing } from '../store/standing.ts'
import type { ListedSubscriber } from '../store/subscriber-list.ts'
import { csvCell, type Tool } from './formats.ts'

/** A file for a tool: its columns, as that tool names them and as `importLines` reads them again. */
export interface ToolFile {
  readonly name: string
  /** Whom it has. Nobody else leaves: not who is quarantined, and not who took back their yes. */
  readonly standings: readonly Standing[]
  readonly columns: Readonly<Record<string, (one: ListedSubscriber) => string>>
}

const email = ({ email }: ListedSubscriber) => csvCell(email)
const firstName = ({ extra }: ListedSubscriber) => csvCell(firstNameIn(extra) ?? '')
const language = ({ extra }: ListedSubscriber) => csvCell(languageIn(extra) ?? '')
const subscribedAt = (one: ListedSubscriber) => one.subscribedAt.toISOString()
const confirmedAt = ({ extra }: ListedSubscriber) => consentIn(extra)?.confirmedAt ?? ''
const consent = ({ extra }: ListedSubscriber) => csvCell(clipped(consentIn(extra)?.words ?? ''))
const reply = ({ extra }: ListedSubscriber) => csvCell(clipped(answerIn(extra) ?? ''))
const standing = (one: ListedSubscriber) => one.standing
const standingAt = (one: ListedSubscriber) => one.standingAt?.toISOString() ?? ''

/** What Kit's API calls those who left. */
const kitStates: Partial<Record<Standing, string>> = {
  unsubscribed: 'cancelled',
  bounced: 'bounced',
  complained: 'complained',
}

const left = ['unsubscribed', 'bounced', 'complained'] as const

/**
 * The files of each tool, those who left first. Read in November 2026:
 *
 * - Kit: help.kit.com, article 2502555 ("How to import a subscriber list") and the states that its
 *   API v4 takes. A CSV file of Kit adds subscribers, and has no place for who left.
 * - Mailchimp: mailchimp.com/help/format-guidelines-for-your-import-file, and its own exports for
 *   the names. The status is chosen once for a file, so there is one for each. A text has 255 bytes.
 * - listmonk: internal/subimporter/importer.go. It reads `email`, `name` and `attributes`, and
 *   passes over other columns. The same columns serve its mode "blocklist".
 */
export const filesFor: Readonly<Record<Tool, readonly ToolFile[]>> = {
  kit: [
    {
      name: 'suppressed.csv',
      standings: left,
      columns: {
        email,
        first_name: firstName,
        state: (one) => kitStates[one.standing] ?? '',
        subscribed_at: subscribedAt,
        standing_at: standingAt,
        language,
      },
    },
    {
      name: 'subscribers.csv',
      standings: ['subscribed'],
      columns: {
        email,
        first_name: firstName,
        subscribed_at: subscribedAt,
        language,
        consent_at: confirmedAt,
        consent,
        reply,
      },
    },
  ],
  mailchimp: [
    mailchimp('cleaned_contacts.csv', ['bounced'], { CLEAN_TIME: standingAt }),
    mailchimp('unsubscribed_contacts.csv', ['unsubscribed', 'complained'], {
      UNSUB_TIME: standingAt,
    }),
    mailchimp('subscribed_contacts.csv', ['subscribed'], {}),
  ],
  listmonk: [listmonk('blocklist.csv', left), listmonk('subscribers.csv', ['subscribed'])],
}

function mailchimp(
  name: string,
  standings: ToolFile['standings'],
  more: ToolFile['columns'],
): ToolFile {
  return {
    name,
    standings,
    columns: {
      'Email Address': email,
      'First Name': firstName,
      Language: language,
      OPTIN_TIME: subscribedAt,
      CONFIRM_TIME: confirmedAt,
      Consent: consent,
      Reply: reply,
      Standing: standing,
      ...more,
    },
  }
}

function listmonk(name: string, standings: ToolFile['standings']): ToolFile {
  return {
    name,
    standings,
    columns: {
      email,
      name: firstName,
      attributes: (one) => csvCell(JSON.stringify(attributesOf(one))),
      first_name: firstName,
      language,
      reply,
      subscribed_at: subscribedAt,
      standing,
      standing_at: standingAt,
    },
  }
}

function attributesOf({ subscribedAt, standing, standingAt, extra }: ListedSubscriber) {
  const language = languageIn(extra)
  const consent = consentIn(extra)
  const reply = answerIn(extra)
  return {
    subscribed_at: subscribedAt,
    ...(language && { language }),
    ...(reply && { reply }),
    ...(consent && { consent_at: consent.confirmedAt, consent: consent.words }),
    ...(standing !== 'subscribed' && { standing, standing_at: standingAt }),
  }
}

const MOST_BYTES = 255

/** As much of a text as Mailchimp keeps. */
function clipped(text: string): string {
  let bytes = 0
  let kept = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > MOST_BYTES) break
    kept += character
  }
  return kept
}
