import { expect, it } from 'vitest'
import { columnKind } from '../../src/tables/standing-columns.ts'

/** Names of columns, as other tools and the languages of the page have them, by what they say. */
const names: Readonly<Record<string, readonly string[]>> = {
  'left: unsubscribed': [
    ...'email_disabled, Unsubscribed from all email, Is this user blacklisted'.split(', '),
    ...'Opt-out, Do Not Contact, HasOptedOutOfEmail, isUnsubscribed'.split(', '),
    ...'un-subscribed, UNSUB_TIME, EMAIL_BLOCKLISTED, deletedAt, left_at'.split(', '),
    ...'Stop Time, Email Suppressions, banned_until, Abgemeldet am'.split(', '),
    ...'Newsletter abbestellt, Werbesperre, Einwilligung widerrufen am'.split(', '),
    ...'Désabonné le, DESINSCRIT, Liste noire, Ne pas contacter, Supprimé'.split(', '),
    ...'Fecha de baja, Dado de baja, No contactar, Lista negra, Cancelado'.split(', '),
    ...'Disiscritto il, Data di cancellazione, Non contattare, Descadastrado em'.split(', '),
    ...'Não contatar, Removido em, Recusado, 配信停止, 購読解除日, 退会日時, 受信拒否, 削除日'.split(
      ', ',
    ),
    ...'إلغاء الاشتراك, غير مشترك, محظور, محذوف, Do not allow Bulk Emails'.split(', '),
    ...'Massen-E-Mails nicht zulassen, Don’t email, muted'.split(', '),
    ...'Email Address Quarantined, Robinsonliste, Kein Newsletter, Pas d’e-mails'.split(', '),
    ...'メール不要, Uitgeschreven, Отписан, 退订'.split(', '),
  ],
  'left: bounced': [
    ...'CLEAN_TIME, Has hard bounced, Email hard bounce reason, Unzustellbar, 不達'.split(', '),
  ],
  'left: complained': ['Marked email as spam', 'Complained At', 'Beschwerde', 'Plainte', '苦情'],
  'left: unconfirmed': ['nicht bestätigt', 'unconfirmed', '未確認'],
  'agreed: unconfirmed': [
    ...'DOUBLE_OPT-IN, opted_in, Is this user confirmed, email_confirmed_at'.split(', '),
    ...'CONFIRM_TIME, Bestätigt, Confirmé, Confirmado, Confermato, 確認済み, مؤكد'.split(', '),
    ...'Email Marketing Consent, Einwilligung, GDPR'.split(', '),
  ],
  'agreed: unsubscribed': [
    ...'subscribed, is_active, Accepts Marketing, subscribed_to_emails'.split(', '),
    ...'Newsletter, Aktiv, receive_emails, Accepte les e-mails, Werbung erlaubt'.split(', '),
    ...'Acepta marketing, Aceita receber e-mails, Vuole ricevere, メール配信, アクティブ'.split(
      ', ',
    ),
    ...'Abonniert, Abonné, Suscrito, Iscritto, Inscrito, 購読中, مشترك'.split(', '),
  ],
  'agreed: bounced': ['email_valid', 'is_valid'],
  'status: unsubscribed': [
    ...'Global status, List status, Email Status, Status der Anmeldung'.split(', '),
    ...'Abostatus, Estado de suscripción, Stato iscrizione'.split(', '),
    ...'Situação da inscrição, 購読状態, حالة الاشتراك'.split(', '),
    "Statut de l'abonnement",
  ],
  unclear: [
    ...'active_subscription, Left-handed, cancel_at_period_end'.split(', '),
    ...'membership_status, Not opted in, Mailing List'.split(', '),
    ...'Dürfen wir Ihnen schreiben?, Want to hear from us?, Not unsubscribed'.split(', '),
    ...'never_unsubscribed, allow_export, churned_at, subscription_cancelled_at'.split(', '),
    ...'Would you like our newsletter?, user_status'.split(', '),
  ],
  nothing: [
    ...'plan, expiry, Record ID, tags, Country, Last Activity Date, referred_by'.split(', '),
    ...'verified, Deleted messages, resubscribed_at, Send date, Valid until'.split(', '),
    ...'unsubscribe_url, confirmation_token, OPTIN_IP'.split(', '),
    ...'Number of bounces on this user, SMS opt-out, DoNotCall, payment_status'.split(', '),
    ...'cancelled_orders, Blockchain wallet, spam_score'.split(', '),
    ...'Did this user manually confirm, adopted, Emails reçus, Data de inscrição'.split(', '),
    ...'登録日時'.split(', '),
  ],
}

it('the name of a column says whether a no may stand there, in the languages of the page', () => {
  for (const [expected, ofKind] of Object.entries(names))
    for (const name of ofKind) {
      const kind = columnKind(name)
      const said = kind?.isUnclear ? 'unclear' : kind && `${kind.says}: ${kind.standing}`
      expect(said ?? 'nothing', name).toBe(expected)
    }
})
