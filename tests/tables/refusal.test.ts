import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../src/tables/refusal.ts'
import { verdictOf } from '../../src/tables/verdict.ts'

const domain = 'example.net'

describe('an answer of a mail server', () => {
  it.each([
    // Code and words agree, or only one of them says anything.
    '550 5.1.1 User unknown',
    '550 5.1.1 <spam@example.net>: Recipient address rejected: User unknown in virtual mailbox table',
    'host spam-filter.mx.example.net[192.0.2.1] said: 550 5.1.1 no',
    "550-5.1.1 The email account that you tried to reach does not exist. Please try\r\n 550-5.1.1 double-checking the recipient's email address for typos https://support.google.com/mail/?p=NoSuchUser - gsmtp",
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 Unknown user',
    '550 5.4.310 DNS domain example.net does not exist [Message=InfoDomainNonexistent]',
    "554 delivery error: dd This user doesn't have a yahoo.com account (a@example.net) [0] - mta1",
    '550 5.1.1 unknown or illegal alias: a@example.net',
    'Sorry, no mailbox here by that name. vpopmail (#5.1.1)',
    "Sorry, I couldn't find any host named example.net. (#5.1.2)",
    'Host or domain name not found. Name service error for name=example.net type=AAAA: Host not found',
    '550 5.1.2 <a@example.net>... Host unknown (Name server: example.net.: host not found)',
    '550 No Such User Here',
    '550 5.7.1 <a@example.net>: Recipient address rejected: User unknown',
    '5.1.6',
    '550 Unrouteable address',
    '5.1.0 Domain example.net does not accept mail (nullMX)',
    '550 5.1.1 User a (a@example.net) not listed in Domino Directory',
    '556 5.1.10 the domain does not accept mail (null MX)',
    // In the languages that we ship, and some more, with accents and without.
    '550 Unbekannter Empfänger',
    '550 Das Postfach existiert nicht',
    '550 utilisateur inconnu',
    '550 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416',
    '550 usuario desconocido',
    '550 usuario inexistente',
    '550 utente sconosciuto',
    '550 Usuário desconhecido',
    '550 Destinatario nao existe',
    '550 onbekende gebruiker',
    '550 такого пользователя не существует',
    '550 宛先不明',
    '550 收件人不存在',
    '550 المستخدم غير معروف',
  ])('says that there is no such mailbox or domain: %s', (answer) => {
    expect(refusalOf(answer, domain)).toBe('gone')
  })

  it.each([
    '552 5.2.2 The mailbox of the recipient is full, over quota',
    '452 4.2.2 mailbox full',
    "552-5.2.2 The recipient's inbox is out of storage space and inactive.",
    '554 5.2.2 mailbox full; 554 5.2.2 STOREDRV.Deliver.Exception:QuotaExceededException',
    '550 5.2.1 The email account that you tried to reach is disabled.',
    '550 5.1.1 <a@example.net>: inactive email address',
    '550 5.0.0 Benutzer hat sein Kontingent überschritten: Postfach voll',
    '552 la boite du destinataire est pleine',
    '552 buzon lleno',
    '552 casella postale piena',
    '552 caixa postal cheia',
    '552 メールボックスがいっぱいです',
    '4.2.2',
  ])('says that a mailbox takes nothing now: %s', (answer) => {
    expect(refusalOf(answer, domain)).toBe('full')
  })

  it.each([
    '550 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.example.org',
    '553 5.3.0 flpd DNSBL:RBL 521 < 192.0.2.7 >_is_blocked. Forward this error to the abuse desk',
    '554 5.6.0 Message contains content that is regarded as spam',
    '550 5.4.300 Message expired; the last attempt met 4.4.1 connection timed out',
    '554 IP=192.0.2.7 - None/bad reputation. Ask your postmaster for help. (BL)',
    '552 5.3.4 Message size exceeds fixed limit',
    '550 5.6.7 The address needs SMTPUTF8',
    '554 5.4.6 Too many hops 26 (25 max)',
    '550 5.1.1 rejected: 192.0.2.7 is listed at a block list',
    '550 5.1.8 Sender address rejected: Domain not found',
    '550 Verification failed for <team@example.org>\r\n 550 No Such User Here\r\n 550 Sender verify failed',
    '550 5.7.1 Unable to relay for a@example.net',
    '550 5.7.509 Access denied, sending domain does not pass DMARC verification',
    '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents more',
    '550 5.4.5 Daily user sending limit exceeded',
    "I'm not going to try again; this message has been in the queue too long.",
    'Host or domain name not found. Name service error for name=relay.example.org type=A: Host not found',
    "5.1.0 - Unknown address error 550-'5.7.1 Access denied'",
    '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 5.7.1 no',
    '450 4.1.1 Recipient address rejected: User unknown',
    '550 5.0.0 Ihre IP-Adresse steht auf einer Sperrliste',
    '550 5.1.1 adresse bloquée: expéditeur indésirable',
    '550 remitente no existe',
    '550 送信者が存在しません',
    '5.7.1',
    '4.4.7',
  ])('is about the sender, the message, the route or a policy: %s', (answer) => {
    expect(refusalOf(answer, domain)).toBe('other')
  })

  it.each([
    '',
    '550',
    '5.0.0',
    '5.1.0',
    '550 5.2.0 no',
    '550 Requested action not taken: mailbox unavailable',
    '250 2.1.5 OK',
    '550 constructor',
    'mx.example.net 5.1.1.7',
  ])('says nothing specific: %j', (answer) => {
    expect(refusalOf(answer, domain)).toBeUndefined()
  })

  it('is read in a moment, however long it is', () => {
    for (const piece of ['a.', '@', 'mailbox ', 'user does ', '\u0301', '5.1.', ' '])
      expect(refusalOf(piece.repeat(500_000), domain)).not.toBe('gone')
  })
})

describe("a row of a provider's file", () => {
  it.each<[verdict: ReturnType<typeof verdictOf>, cells: string[], prose?: string]>([
    // Postmark
    ['gone', ['HardBounce', 'smtp;550 5.1.1 User unknown']],
    ['gone', ['HardBounce', ''], '(ex: unknown user, mailbox not found).'],
    ['other', ['HardBounce', 'smtp;550 5.7.1 blocked']],
    ['other', ['Blocked', 'smtp;554 The sender is on a block list'], 'Message Blocked: ISP block'],
    ['other', ['DMARCPolicy', 'smtp;550 DMARC']],
    ['harmless', ['SMTPApiError', '']],
    ['other', ['SpamNotification', 'smtp;550 5.7.1 spam content']],
    ['complained', ['SpamComplaint']],
    ['unsubscribed', ['Unsubscribe']],
    ['unsubscribed', ['ManualSuppression']],
    // SendGrid
    ['other', ['554 Blocked - see https://ipcheck.example.org/?ip=192.0.2.7', '5.0.0']],
    ['other', ['550 5.7.1 [192.0.2.7] listed at a block list', '550']],
    ['full', ['552 5.2.2 mailbox full', '5.2.2']],
    ['gone', ['550 5.1.1 The email account does not exist', '5.1.1']],
    ['other', ['bounce', 'blocked', '550 no']],
    ['complained', ['dropped', 'Spam Reporting Address']],
    // Amazon SES
    ['gone', ['BOUNCE']],
    ['gone', ['General', 'Permanent']],
    ['other', ['Suppressed', 'Permanent']],
    ['other', ['OnAccountSuppressionList', 'Permanent']],
    ['full', ['MailboxFull', 'Transient']],
    ['other', ['General', 'Permanent', 'smtp; 554 5.7.1 rejected due to policy']],
    // Mailgun
    ['gone', ['No such user here', '550']],
    ['other', ['', '550']],
    ['harmless', ['deferred', '452 4.2.2 mailbox full']],
    // Brevo and others
    ['gone', ['Hard bounce']],
    ['other', ['Soft bounce']],
    ['full', ['Soft bounce', '452 4.2.2 mailbox full']],
    ['harmless', ['delivered', '250 OK user unknown']],
    ['gone', ['cleaned']],
    [undefined, ['active', 'true', '']],
  ])('is %s: %j', (verdict, cells, prose = '') => {
    expect(verdictOf(cells, prose, domain)).toBe(verdict)
  })
})
