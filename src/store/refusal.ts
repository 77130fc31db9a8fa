/**
 * What a mail server's refusal of a letter is about: `gone`, that there is no such mailbox or domain;
 * `full`, a mailbox that takes nothing now; `other`, the sender, the message, the route or a policy.
 */
export type Refusal = 'gone' | 'full' | 'other'
