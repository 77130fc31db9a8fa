import type { PrivacyWords } from './privacy-words.ts'

const units = { day: 'days', week: 'weeks', month: 'months', year: 'years' } as const

export const english: PrivacyWords = {
  title: ({ name }) => `Data protection: ${name}`,
  draft:
    'This text was made from the settings of this installation. It is a draft and no legal advice: have it checked, and fill in what stands in square brackets.',
  responsible: {
    title: 'Who is responsible',
    text: ({ sender }) => [
      sender ?? '[name and postal address of who is responsible]',
      '[e-mail address for questions about your data]',
    ],
  },
  address: {
    title: 'Your e-mail address',
    text: ({ name, requestDays, isIpKept, formHosts, hasReferrals, question }) => [
      `If you leave your e-mail address, we keep it and the time, so that we can tell you when ${name} opens. The basis is your consent (Art. 6(1)(a) GDPR). You can take it back at any time, by the link in each of our e-mails.`,
      'With the address we may keep the language of the page, the link by which you came, and, if you signed up elsewhere, a first name and what was noted there of your consent: its time and your network address. The page does not ask for a name.',
      ...(formHosts.length > 0
        ? [
            `The form on ${formHosts.join(', ')} sends your address to us, and to nobody else. It sets no cookie. We note on which of these sites you left it.`,
          ]
        : []),
      ...(question === undefined
        ? []
        : [
            `After that, the page asks: "${question}" You need not answer. An e-mail may ask it too. We keep your answer with the address.`,
          ]),
      'If you have heard nothing from us for long, an e-mail may ask whether you still want us to write. If you press its button, we note the time.',
      ...(hasReferrals
        ? [
            'Once you confirm, you get a link of your own. If another person comes by it and confirms, a keyed hash with their address says that they came by your link. It is erased when either address is.',
          ]
        : []),
      ...(requestDays === undefined
        ? []
        : [
            `You are on the list only after you confirm it from your mailbox. A request without an answer is erased after ${requestDays} days. As proof of your consent we keep the words that you read, when you asked, when and how you confirmed, and which e-mail asked you.${isIpKept ? ' The proof has the IP addresses from which you asked and confirmed.' : ' No IP address is in it.'}`,
          ]),
    ],
  },
  cookie: {
    title: 'Cookies',
    text: ({ sessionHours }) => [
      `The page sets one cookie, "session". It has a random number and a signature, and lasts for ${sessionHours} hours. It is strictly necessary: it keeps other sites from signing you up in your browser's name, and helps to tell programs from people. Nothing is stored about it on the server, and it is not used to recognise you.`,
      `Once the page is open, it keeps "splash: seen" in your browser's storage, so that its animation plays once. That is the same for everybody, and is sent nowhere.`,
    ],
  },
  robots: {
    title: 'Protection from robots',
    text: ({ isLimited, requestDays }) => [
      `A sign-up with signs of a robot, such as a form that was filled in at once, is set aside with the names of these signs. ${requestDays === undefined ? 'It gets no e-mail until a person releases it, or the address signs up again without such signs.' : 'It gets no e-mail before its owner confirms it, except for the one that asks for that.'}`,
      ...(isLimited
        ? [
            'To limit floods, the server counts sign-ups by IP address, in its memory and for a day at most. These counts are in no file, and no log has IP addresses of visitors.',
          ]
        : []),
      ...(requestDays === undefined
        ? []
        : [
            'With a request that is not confirmed, a keyed hash of your network is kept for as long as the request.',
          ]),
    ],
  },
  visits: {
    title: 'Visits',
    text: ({ visits, daysByHour, visitDays }) =>
      visits === 'off'
        ? ['Visits are not counted.']
        : [
            `Visits are counted as numbers by the hour, without cookies, IP addresses or anything else of you. The names of links by which visitors came are counted by the hour for ${daysByHour} days, then by the day, and erased after ${visitDays} days.`,
          ],
  },
  others: {
    title: 'Who else gets data',
    text: ({ isFirestore, mailHost, isProxied, toldHosts, noticeDays, eventHosts, ...facts }) => [
      isFirestore
        ? 'The list is kept in Google Cloud Firestore [region, contract with Google].'
        : 'The list is in a file on our own server [provider and country of the server].',
      mailHost
        ? `Our e-mails leave through the mail server ${mailHost} [provider, contract], which gets your address and the e-mail.`
        : 'No mail server is set yet: no e-mails are sent.',
      ...(isProxied
        ? ['A proxy [name] stands before the server, and sees your IP address on the way.']
        : []),
      ...(toldHosts.length > 0
        ? [
            `We are told of new sign-ups with their addresses at ${toldHosts.join(', ')} [contract]; what is not delivered is erased after ${noticeDays} days.`,
          ]
        : []),
      ...(eventHosts.length > 0
        ? [
            `Our own systems at ${eventHosts.join(', ')} [contract] are told of sign-ups and of erasures.`,
          ]
        : []),
      ...(facts.isToldOfAccounts
        ? ['Our product tells the list when you have become its user.']
        : []),
    ],
  },
  kept: {
    title: 'How long it is kept',
    text: ({ retention, backup, isFirestore, isBackupEncrypted }) => [
      retention
        ? `We erase the whole list ${retention.number} ${retention.number === 1 ? units[retention.unit].slice(0, -1) : units[retention.unit]} after we open.`
        : 'We keep your address until you ask us to erase it. [Say when you erase the whole list.]',
      isFirestore
        ? 'Back-ups are made by Google [say how long they are kept].'
        : backup.rule
          ? `Back-ups are kept by the rule "${backup.rule}" (daily, weekly and monthly copies), and hold an erased address until the last of them is removed.${isBackupEncrypted ? ' They are encrypted.' : ''}`
          : backup.isKept
            ? `Back-ups hold an erased address until they are removed [say how long you keep them].${isBackupEncrypted ? ' They are encrypted.' : ''}`
            : 'No back-ups are kept by a rule. [Say how long you keep copies.]',
    ],
  },
  rights: {
    title: 'Your rights',
    text: () => [
      'You may ask what we keep about you, have it corrected, erased or restricted, take it with you, object to its use, and take back your consent. Write to the address above.',
      'To get no more e-mails, use the link in any of them: the address stays, so that we do not write to it again. To be erased, write to us: we then erase the address and all that is known of it, and keep only a keyed hash, so that it does not come back by a file.',
      'You may complain to a data protection authority [name of yours].',
    ],
  },
}
