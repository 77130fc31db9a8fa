import { describe, expect, it } from 'vitest'
import { type Says, saysIn, waitIn } from '../../src/mail/smtp-answers.ts'

const cases: Readonly<Record<Says | 'nothing', readonly string[]>> = {
  session: [
    '452 4.5.3 Too many recipients',
    '452-4.5.3 Your message has too many recipients. For more information',
    '452 4.4.5 Maximum number of messages per session exceeded.',
    '421 Connection closed by server. Maximum message count per session reached.',
    '421 too many messages in this connection',
    '451 4.7.0 Too many messages in this session, reconnect',
    '421 4.7.1 too many transactions per connection',
  ],
  connections: [
    '432 4.3.2 Concurrent connections limit exceeded. Visit https://aka.ms/concurrent_sending',
    '432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded',
    '421 4.3.2 The maximum number of concurrent server connections has exceeded a limit, closing',
    '421 4.7.0 relay.example Error: too many connections from 192.0.2.1',
    '421 Too many concurrent SMTP connections; please try again later.',
    '421 4.3.2 Connection rate limit exceeded.',
    '421 4.3.2 Too many open connections.',
    '554 5.7.0 Too many connections',
    '421 Too many simultaneous sessions for this user',
  ],
  quota: [
    '550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to',
    '550 5.4.5 Daily SMTP relay sending limit exceeded for user.',
    '450-4.2.1 Daily SMTP relay limit exceeded for customer. For more information',
    '454 Throttling failure: Daily message quota exceeded.',
    "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; the sender's submission quota was exceeded",
    '550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.',
    '550 5.7.705 Service unavailable. Access denied, tenant has exceeded threshold.',
    "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
    "550 5.7.233 Your message can't be sent because your tenant exceeded its external recipient rate",
    '451 Authentication failed: Maximum credits exceeded',
    '550 Domain example.com has exceeded the max emails per hour (150/150 (100%)) allowed.',
    '554 5.7.1 <address>: Recipient address rejected: You have exceeded your Outmail quota.',
    '550 5.4.6 You have reached the hourly sending quota of this account',
    '452 4.3.1 You have exceeded your monthly message limit, upgrade your plan',
    '550 5.7.1 Too many messages sent in the last hour',
    '421 4.7.0 outgoing mail limit reached',
    '550 5.4.6 Unusual sending activity detected. Please try after sometime',
    '554 Sending paused for this account. For more information, please check the inbox',
    '554 Message rejected: Email address is not verified. The following identities failed the check',
    '550 5.7.1 Your SMTP account is not yet activated',
    '554 5.7.1 SPAMMER, your account is blocked. Contact support',
    '421 4.7.0 Domain example.com is not allowed to send: recipient limit exceeded.',
    '554 5.7.0 Transaction failed: Message limit exceeded',
    '550 5.7.1 You have exceeded the number of recipients allowed per hour',
  ],
  rate: [
    '454 Throttling failure: Maximum sending rate exceeded.',
    '450 4.7.1 Error: too much mail from 192.0.2.1',
    '450-4.2.1 Peak SMTP relay limit exceeded for customer.',
    '421 4.4.2 Message submission rate for this client has exceeded the configured limit',
    '421 RP-001 The mail server IP connecting to Outlook.com server has exceeded the rate limit allowed.',
    '421 4.7.28 Our system has detected an unusual rate of unsolicited mail',
    '550 5.7.1 You are sending too fast, slow down',
    '454 4.7.0 Too many login attempts, please try again later.',
  ],
  greylisting: [
    '450 4.2.0 Recipient address rejected: Greylisted, see http://postgrey.test/help',
    '450 4.7.1 <address>: Recipient address rejected: Greylisted for 5 minutes',
    '451 4.7.1 Greylisting in action, please come back in 00:05:00',
    '451 4.7.1 Try again later',
    '451 4.7.1 Service unavailable - try again later',
    '451 Temporarily greylisted, try later',
    '421 Your address has been graylisted. Try again later.',
    '421 4.7.0 [GL01] Message from (192.0.2.1) temporarily deferred',
  ],
  nothing: [
    '250 2.0.0 Ok: your daily sending limit is not exceeded',
    '550 5.1.1 <address> user unknown',
    '550 5.2.1 The email account that you tried to reach is disabled',
    '554 30 This mailbox is disabled',
    '550 5.1.0 192.0.2.7 is not allowed to send from <example.com> per its SPF Record',
    '552 5.2.2 The email account that you tried to reach is over quota',
    '452 4.2.2 Mailbox full: quota exceeded for your account',
    '552 5.3.4 Message size exceeds your account limit',
    '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
    '450 4.2.1 The user you are trying to contact is receiving mail too quickly.',
    '550 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.example.org',
    '450 4.7.1 Client host rejected: cannot find your hostname',
    '451 4.3.0 Temporary lookup failure, try again later',
    '554 5.4.14 Too many hops',
    '550 5.7.1 grey area, listed as spam',
    'connection lost: too many connections',
  ],
}

describe('what a refusal is about', () => {
  for (const [says, answers] of Object.entries(cases))
    it.each(answers)(`is ${says}: %s`, (answer) => {
      expect(saysIn(answer)).toBe(says === 'nothing' ? undefined : says)
    })
})

describe('how long a server asks to wait', () => {
  const stated: [string, number | undefined][] = [
    ['450 4.7.1 Greylisted, try again in 300 seconds', 300],
    ['450 4.7.1 Recipient address rejected: Greylisted for 5 minutes', 300],
    ['451 4.7.1 Greylisting in action, please come back in 00:04:59', 299],
    ['450 Please retry after 90s', 90],
    ['450 Please wait 1 minute', 60],
    ['450 Greylisted, wait for at least 120 s', 120],
    ['421 retry later (300 sec)', 300],
    ['451 Bitte versuchen Sie es in 10 Minuten noch einmal', 600],
    ['454 Try again in 2 hours', 7200],
    ['421 come back in 9000 hours', 86_400],
    ['450 4.7.1 Greylisted, please try again later', undefined],
    ['450 4.2.0 in 0 seconds', undefined],
    ['550 exceeded the max emails per hour (150/150) allowed', undefined],
    ['450 in 3 mails', undefined],
    ['450 wait 10 mins, please', 600],
  ]
  it.each(stated)('%s', (answer, seconds) => {
    expect(waitIn(answer)).toBe(seconds === undefined ? undefined : seconds * 1000)
  })
})
