import type { Words } from '../shared/sentences.ts'

/**
 * German, in wording that needs neither “du” nor “Sie”.
 *
 * No native reader has read this file yet. Anybody who writes German every day may: see docs/languages.md.
 */
export const de = {
  title: '{name} — Demnächst',
  heading: 'Demnächst',
  offer: 'Bescheid bekommen, sobald es losgeht',
  label: 'E-Mail-Adresse',
  submit: 'Mir Bescheid geben',
  submitting: 'Wird gesendet …',
  didYouMean: 'Vielleicht {domain}?',
  comment: 'Dieses Feld bitte leer lassen',
  needsScript:
    'Die Anmeldung braucht JavaScript. Bitte einschalten und diese Seite noch einmal laden.',
  subscribed: 'Danke! Wir melden uns.',
  letterSent: 'Jetzt nur noch in unserer E-Mail bestätigen.',
  passOn: 'Weitersagen',
  byEmail: 'E-Mail',
  copyLink: 'Link kopieren',
  linkCopied: 'Link kopiert',
  personalLink: 'Dieser Link ist persönlich. Er zählt alle, die darüber kommen und bestätigen.',
  invalidEmail: 'Bitte eine gültige E-Mail-Adresse eingeben.',
  databaseUnavailable: 'Die Datenbank ist gerade nicht erreichbar. Bitte später noch einmal.',
  failed: 'Die Anmeldung hat nicht geklappt. Bitte später noch einmal versuchen.',

  openTitle: '{name} — Jetzt geöffnet',
  openDescription: '{name} ist da. {pitch}',
  openHeading: 'Jetzt da',
  openButton: 'Zu {name}',
  openOffer: 'Neues per E-Mail bekommen',

  opens: 'Es geht los: {time}',
  soon: 'Gleich ist es so weit',
  days: 'T',
  hours: 'h',
  minutes: 'min',
  seconds: 's',

  notFoundHeading: 'Hier ist nichts',
  notFound:
    'Unter dieser Adresse gibt es keine Seite. Vielleicht ist ein Buchstabe falsch oder fehlt.',
  wayHome: 'Zu unserer Seite',

  unsubscribeHeading: 'Abmelden',
  unsubscribeAsk: 'Ein Klick auf den Knopf, und es kommt keine weitere E-Mail von uns.',
  unsubscribeButton: 'Abmelden',
  unsubscribedHeading: 'Abgemeldet',
  unsubscribed:
    'Es kommt keine weitere E-Mail von uns. Eine neue Anmeldung ist auf unserer Seite jederzeit möglich.',
  brokenHeading: 'Der Link ist unvollständig',
  broken:
    'Ein Teil davon fehlt, deshalb wurde niemand abgemeldet. Bitte den Link in unserer E-Mail noch einmal öffnen oder ganz kopieren.',
  unavailableHeading: 'Bitte noch einmal',
  unsubscribeUnavailable:
    'Das ließ sich gerade nicht speichern. In ein paar Minuten sollte es klappen.',

  stillHeading: 'Noch interessiert?',
  stillAsk: 'Ein Klick auf den Knopf, und unsere Nachrichten kommen weiter.',
  stillYes: 'Ja, ich bin noch interessiert',
  stillNoted: 'Gut zu wissen. Unsere Nachrichten kommen weiter.',
  stillBroken:
    'Ein Teil davon fehlt, deshalb wurde nichts notiert. Bitte den Link in unserer E-Mail noch einmal öffnen oder ganz kopieren.',

  confirmHeading: 'Stimmt das so?',
  confirmAsk:
    'Diese E-Mail-Adresse wurde bei uns eingetragen, um Bescheid zu bekommen, sobald es losgeht.',
  newsConfirmAsk: 'Diese E-Mail-Adresse wurde bei uns eingetragen, um Neues zu erfahren.',
  yes: 'Ja, das stimmt',
  no: 'Nein, das war ich nicht',
  codeHeading: 'Noch ein Schritt',
  codeAsk:
    'Es wurden beide Knöpfe gedrückt, wie es manche Prüfprogramme für E-Mails tun. Die sechs Ziffern stehen in unserer E-Mail.',
  codeLabel: 'Code aus der E-Mail',
  codeButton: 'Bestätigen',
  wrongCodeHeading: 'Falscher Code',
  wrongCode:
    'Das sind nicht die sechs Ziffern aus unserer E-Mail. Nach fünf Fehlversuchen gilt kein Code mehr, bis wir eine neue E-Mail senden.',
  confirmedHeading: 'Bestätigt',
  confirmed: 'Danke. Sobald es losgeht, melden wir uns.',
  newsConfirmed: 'Danke. Neues kommt per E-Mail.',
  notMeHeading: 'Danke',
  notMe: 'Wir schreiben nicht mehr, und die Adresse wird innerhalb von 14 Tagen gelöscht.',
  wasMe: 'Doch, das war ich',
  endedHeading: 'Der Link gilt nicht mehr',
  ended:
    'Entweder sind seine 14 Tage um, oder ein Teil davon fehlt. Eine neue Anmeldung ist auf unserer Seite möglich.',
  confirmUnavailable:
    'Das ließ sich gerade nicht speichern. Bitte den Link in unserer E-Mail in ein paar Minuten noch einmal öffnen.',

  onListHeading: 'Auf der Liste',
  replyHeading: 'Eine Frage',
  replyAsked: 'Eine Antwort hilft uns und ist freiwillig.',
  answerButton: 'Senden',
  wrongAnswer: 'Das passt nicht zur Frage. Bitte noch einmal versuchen.',
  answeredHeading: 'Danke',
  answered: 'Die Antwort ist gespeichert.',
  answerEnded: 'Zum Antworten ist es hier zu spät. Die Adresse steht weiterhin auf der Liste.',

  letterSubject: 'Bitte die E-Mail-Adresse für {name} bestätigen',
  letterHeading: 'Stimmt das so?',
  letterAsked:
    'Am {day} um {time} wurde diese E-Mail-Adresse auf {site} eingetragen, um Bescheid zu bekommen, sobald {name} startet.',
  newsLetterAsked:
    'Am {day} um {time} wurde diese E-Mail-Adresse auf {site} eingetragen, um Neues von {name} zu erfahren.',
  letterLink: 'Zum Bestätigen, oder falls es jemand anderes war, bitte diese Seite öffnen:',
  letterButton: 'Adresse bestätigen',
  letterCode: 'Falls die Seite nach einem Code fragt: {code}.',
  letterOtherwise:
    'Eine Antwort ist bis zum {day} möglich. Ohne Antwort passiert nichts: Es kommt keine Nachricht, und die Adresse wird gelöscht.',
  letterSender: 'Gesendet für {name}, weil diese Adresse auf {site} eingetragen wurde.',
  clock: '{time} Uhr',

  toAnswer: 'Antworten',
  reason: 'Diese Adresse wurde eingetragen, um vom Start von {name} zu erfahren.',
  unsubscribe: 'Abmelden',
  unsubscribeAt: 'Abmelden: {link}',
} satisfies Words
