/** How a provider reads addresses, where that differs from a plus that begins a tag. */
export interface MailboxProvider {
  readonly domains: readonly string[]
  /**
   * Whether each name exists at all of the domains, as the same mailbox. Otherwise letters to a
   * missing name would take the places of those to its owner.
   */
  readonly isOneAtAll?: boolean
  /** The characters of a name that make no difference, and their common form. */
  readonly alike?: { readonly signs: RegExp; readonly as: string }
  /** A sign that begins a tag, beside the plus; no name has it. */
  readonly tagSign?: string
  /** Whether any local part at `name.domain` is a tag of the mailbox `name`. */
  readonly hasNameInDomain?: boolean
  /** Where that is documented. */
  readonly sources: readonly string[]
}

/**
 * Only documented rules: a rule that takes two people's addresses for one mailbox would count one
 * of them for the other. The plus needs no rule, since it counts as a tag everywhere.
 */
export const mailboxProviders: readonly MailboxProvider[] = [
  {
    domains: ['gmail.com', 'googlemail.com'],
    isOneAtAll: true,
    alike: { signs: /\./g, as: '' },
    sources: [
      'https://support.google.com/mail/answer/7436150',
      'https://support.google.com/mail/answer/10313',
    ],
  },
  {
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    // Not one at all: an account has its name only at the domains where it was activated.
    alike: { signs: /[._-]/g, as: '' },
    sources: [
      'https://proton.me/support/addresses-and-aliases',
      // Its own program: `canonicalizeInternalEmail`.
      'https://github.com/ProtonMail/WebClients/blob/main/packages/shared/lib/helpers/email.ts',
    ],
  },
  {
    domains: [
      ...['yandex.ru', 'ya.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua'],
      'narod.ru',
    ],
    isOneAtAll: true,
    alike: { signs: /\./g, as: '-' },
    sources: [
      'https://yandex.com/support/domain/additional/mailbox-alias.xml',
      // "If a login has dots, replace them with hyphens to get the normalized login."
      'https://yandex.ru/dev/direct/doc/dg-v4/concepts/finance-token.html',
    ],
  },
  {
    domains: ['yahoo.com', 'ymail.com', 'rocketmail.com'],
    // Its disposable addresses are a base name, a hyphen and a keyword, and no other address has one.
    tagSign: '-',
    sources: [
      'https://help.yahoo.com/help/uk/bt/tutorials/mail/addressguard2.html',
      'https://patents.justia.com/patent/20060041621',
    ],
  },
  {
    domains: ['fastmail.com', 'fastmail.fm'],
    hasNameInDomain: true,
    sources: ['https://www.fastmail.help/hc/en-us/articles/360060591053'],
  },
]
