import { expect, it } from 'vitest'
import { plainWord } from '../../src/tables/row-standing.ts'
import { columnKind } from '../../src/tables/standing-columns.ts'

/** Names of columns, as other tools have them, by what they say. */
const names: Readonly<Record<string, readonly string[]>> = {
  'left: unsubscribed': [
    ...'email_disabled, Unsubscribed from all email, Is this user blacklisted'.split(', '),
    ...'Opt-out, Do Not Contact, HasOptedOutOfEmail, isUnsubscribed'.split(', '),
    ...'un-subscribed, UNSUB_TIME, EMAIL_BLOCKLISTED, deletedAt, banned_until'.split(', '),
  ],
  'left: bounced': ['CLEAN_TIME', 'Has hard bounced', 'deliverability'],
  'left: complained': ['Marked email as spam', 'Complained At'],
  'left: unconfirmed': ['unconfirmed'],
  'agreed: unconfirmed': [
    ...'DOUBLE_OPT-IN, opted_in, Is this user confirmed, email_confirmed_at'.split(', '),
    ...['CONFIRM_TIME', 'Email Marketing Consent'],
  ],
  'agreed: unsubscribed': ['subscribed', 'is_active', 'Accepts Marketing', 'subscribed_to_emails'],
  'status: unsubscribed': ['Global status', 'List status', 'Email Status'],
  unclear: [
    ...'active_subscription, Left-handed, cancel_at_period_end, membership_status'.split(', '),
    ...'Not opted in, Not unsubscribed, subscription_cancelled_at, flags.unsubscribed'.split(', '),
    ...'Abgemeldet am, Bestätigt, Désabonné le, Fecha de baja, Disiscritto il'.split(', '),
    ...'Descadastrado em, 配信停止, إلغاء الاشتراك'.split(', '),
  ],
  nothing: [
    ...'plan, expiry, Record ID, tags, Country, Last Activity Date, referred_by'.split(', '),
    ...'verified, Send date, Valid until, unsubscribe_url, confirmation_token'.split(', '),
    ...'Number of bounces on this user, Did this user manually confirm'.split(', '),
    ...['UNSUB_CAMPAIGN_TITLE', 'UNSUB_REASON'],
  ],
}

it('the name of a column says whether a no may stand there, or is asked about where it may', () => {
  for (const [expected, ofKind] of Object.entries(names))
    for (const name of ofKind) {
      const kind = columnKind(plainWord(name))
      const said = typeof kind === 'object' ? `${kind.says}: ${kind.standing}` : kind
      expect(said ?? 'nothing', name).toBe(expected)
    }
})
