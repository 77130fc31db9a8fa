import { expect, it } from 'vitest'
import { columnKind } from '../../src/tables/column-kind.ts'

/** Names of columns, as other tools and the languages of the page have them, by what they say. */
const names: Readonly<Record<string, readonly string[]>> = {
  'left: unsubscribed': [
    ...['email_disabled', 'Unsubscribed from all email', 'Is this user blacklisted', 'Opt-out'],
    ...['Do Not Contact', 'HasOptedOutOfEmail', 'isUnsubscribed', 'un-subscribed', 'UNSUB_TIME'],
    ...[
      'EMAIL_BLOCKLISTED',
      'deletedAt',
      'left_at',
      'Stop Time',
      'Email Suppressions',
      'banned_until',
    ],
    ...['Abgemeldet am', 'Newsletter abbestellt', 'Werbesperre', 'Einwilligung widerrufen am'],
    ...['Désabonné le', 'DESINSCRIT', 'Liste noire', 'Ne pas contacter', 'Supprimé'],
    ...['Fecha de baja', 'Dado de baja', 'No contactar', 'Lista negra', 'Cancelado'],
    ...['Disiscritto il', 'Data di cancellazione', 'Non contattare'],
    ...['Descadastrado em', 'Não contatar', 'Removido em', 'Recusado'],
    ...['配信停止', '購読解除日', '退会日時', '受信拒否', '削除日'],
    ...['إلغاء الاشتراك', 'غير مشترك', 'محظور', 'محذوف'],
    ...['Do not allow Bulk Emails', 'Massen-E-Mails nicht zulassen', 'Don’t email', 'muted'],
    ...['Email Address Quarantined', 'Robinsonliste', 'Kein Newsletter', 'Pas d’e-mails'],
    ...['メール不要', 'Uitgeschreven', 'Отписан', '退订'],
  ],
  'left: bounced': [
    'CLEAN_TIME',
    'Has hard bounced',
    'Email hard bounce reason',
    'Unzustellbar',
    '不達',
  ],
  'left: complained': ['Marked email as spam', 'Complained At', 'Beschwerde', 'Plainte', '苦情'],
  'left: unconfirmed': ['nicht bestätigt', 'unconfirmed', '未確認'],
  'agreed: unconfirmed': [
    ...[
      'DOUBLE_OPT-IN',
      'opted_in',
      'Is this user confirmed',
      'email_confirmed_at',
      'CONFIRM_TIME',
    ],
    ...['Bestätigt', 'Confirmé', 'Confirmado', 'Confermato', '確認済み', 'مؤكد'],
    ...['Email Marketing Consent', 'Einwilligung', 'GDPR'],
  ],
  'agreed: unsubscribed': [
    ...[
      'subscribed',
      'is_active',
      'Accepts Marketing',
      'subscribed_to_emails',
      'Newsletter',
      'Aktiv',
    ],
    ...['receive_emails', 'Accepte les e-mails', 'Werbung erlaubt', 'Acepta marketing'],
    ...['Aceita receber e-mails', 'Vuole ricevere', 'メール配信', 'アクティブ'],
    ...['Abonniert', 'Abonné', 'Suscrito', 'Iscritto', 'Inscrito', '購読中', 'مشترك'],
  ],
  'agreed: bounced': ['email_valid', 'is_valid'],
  'status: unsubscribed': [
    ...['Global status', 'List status', 'Email Status', 'Status der Anmeldung', 'Abostatus'],
    ...[
      "Statut de l'abonnement",
      'Estado de suscripción',
      'Stato iscrizione',
      'Situação da inscrição',
    ],
    ...['購読状態', 'حالة الاشتراك'],
  ],
  unclear: [
    ...[
      'active_subscription',
      'Left-handed',
      'cancel_at_period_end',
      'membership_status',
      'Not opted in',
    ],
    ...['Mailing List', 'Dürfen wir Ihnen schreiben?', 'Want to hear from us?'],
    ...['Not unsubscribed', 'never_unsubscribed', 'allow_export', 'churned_at'],
    ...['subscription_cancelled_at', 'Would you like our newsletter?', 'user_status'],
  ],
  nothing: [
    ...[
      'plan',
      'expiry',
      'Record ID',
      'tags',
      'Country',
      'Last Activity Date',
      'referred_by',
      'verified',
    ],
    ...['Deleted messages', 'resubscribed_at', 'Send date', 'Valid until'],
    ...['unsubscribe_url', 'confirmation_token', 'OPTIN_IP', 'Number of bounces on this user'],
    ...[
      'SMS opt-out',
      'DoNotCall',
      'payment_status',
      'cancelled_orders',
      'Blockchain wallet',
      'spam_score',
    ],
    ...[
      'Did this user manually confirm',
      'adopted',
      'Emails reçus',
      'Data de inscrição',
      '登録日時',
    ],
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
