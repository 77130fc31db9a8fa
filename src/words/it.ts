import type { Words } from '../shared/sentences.ts'

/**
 * Italian, in wording that needs neither “tu” nor “lei”.
 *
 * No native reader has read this file yet. Anybody who writes Italian every day may: see docs/languages.md.
 */
export const it = {
  title: '{name} — In arrivo',
  heading: 'In arrivo',
  offer: 'Per sapere prima di tutti quando si parte',
  label: 'Indirizzo email',
  submit: 'Voglio saperlo',
  submitting: 'Invio in corso…',
  didYouMean: 'Forse {domain}?',
  comment: 'Lasciare vuoto questo campo',
  needsScript: 'Per iscriversi serve JavaScript. Va attivato, e la pagina ricaricata.',
  subscribed: 'Grazie! Ci faremo sentire.',
  letterSent: 'Resta solo da confermare nell’email appena inviata.',
  passOn: 'Passaparola',
  byEmail: 'Email',
  copyLink: 'Copia link',
  linkCopied: 'Link copiato',
  personalLink: 'Questo link è personale. Conta chi arriva da qui e conferma.',
  invalidEmail: 'Serve un indirizzo email valido.',
  databaseUnavailable: 'Database non raggiungibile. Meglio riprovare più tardi.',
  failed: 'Iscrizione non riuscita. Meglio riprovare più tardi.',

  openTitle: '{name} — Ora aperto',
  openDescription: '{name} è arrivato. {pitch}',
  openHeading: 'Ci siamo',
  openButton: 'Apri {name}',
  openOffer: 'Ricevere le novità via email',

  opens: 'Si parte: {time}',
  soon: 'Da un momento all’altro',
  days: 'g',
  hours: 'h',
  minutes: 'min',
  seconds: 's',

  notFoundHeading: 'Qui non c’è niente',
  notFound: 'A questo indirizzo non c’è nessuna pagina. Forse una lettera è sbagliata, o manca.',
  wayHome: 'Vai alla nostra pagina',

  unsubscribeHeading: 'Cancellazione',
  unsubscribeAsk: 'Basta premere il pulsante, e non scriveremo più.',
  unsubscribeButton: 'Cancella l’iscrizione',
  unsubscribedHeading: 'Fatto',
  unsubscribed:
    'Non scriveremo più. Per tornare basta lasciare di nuovo l’indirizzo sulla nostra pagina.',
  brokenHeading: 'Questo link è incompleto',
  broken:
    'Ne manca una parte, quindi nessuna iscrizione è stata cancellata. Va riaperto il link della nostra email, o copiato per intero.',
  unavailableHeading: 'Riproviamo',
  unsubscribeUnavailable:
    'Per ora non è stato possibile salvarlo. Tra qualche minuto dovrebbe funzionare.',

  stillHeading: 'Restiamo in contatto?',
  stillAsk: 'Basta premere il pulsante per continuare a ricevere le nostre novità.',
  stillYes: 'Mi interessa ancora',
  stillNoted: 'Bene: le nostre novità continueranno ad arrivare.',
  stillBroken:
    'Ne manca una parte, quindi non è stato annotato nulla. Va riaperto il link della nostra email, o copiato per intero.',

  confirmHeading: 'È tutto giusto?',
  confirmAsk: 'Questo indirizzo email è stato lasciato da noi, per sapere quando si parte.',
  newsConfirmAsk: 'Questo indirizzo email è stato lasciato da noi, per ricevere novità.',
  yes: 'Sì, voglio saperlo',
  no: 'Non sono stato io',
  codeHeading: 'Ancora una cosa',
  codeAsk:
    'Sono stati premuti entrambi i pulsanti, come fanno i programmi che controllano la posta. Le sei cifre sono nella nostra email.',
  codeLabel: 'Codice dell’email',
  codeButton: 'Conferma',
  wrongCodeHeading: 'Codice errato',
  wrongCode:
    'Non sono le sei cifre della nostra email. Dopo cinque errori nessun codice vale più, finché non mandiamo un’altra email.',
  confirmedHeading: 'Confermato',
  confirmed: 'Grazie. Quando si parte, ci faremo sentire.',
  newsConfirmed: 'Grazie. Le novità arriveranno per email.',
  notMeHeading: 'Grazie',
  notMe: 'Non scriveremo, e l’indirizzo sarà cancellato entro 14 giorni.',
  wasMe: 'Sì, ero io',
  endedHeading: 'Questo link è scaduto',
  ended:
    'Valeva 14 giorni, o ne manca una parte. Per ricevere l’avviso basta lasciare l’indirizzo sulla nostra pagina.',
  confirmUnavailable:
    'Per ora non è stato possibile salvarlo. Il link della nostra email si può riaprire tra qualche minuto.',

  onListHeading: 'In lista',
  replyHeading: 'Una domanda',
  replyAsked: 'Una risposta ci aiuta, ed è facoltativa.',
  answerButton: 'Invia',
  wrongAnswer: 'Non risponde alla domanda. Meglio riprovare.',
  answeredHeading: 'Grazie',
  answered: 'La risposta è salvata.',
  answerEnded: 'È tardi per rispondere qui. L’indirizzo resta in lista.',

  letterSubject: 'Resta da confermare l’indirizzo email per {name}',
  letterHeading: 'È tutto giusto?',
  letterAsked:
    'Il {day} alle {time} questo indirizzo email è stato lasciato su {site}, per sapere quando parte {name}.',
  newsLetterAsked:
    'Il {day} alle {time} questo indirizzo email è stato lasciato su {site}, per ricevere novità su {name}.',
  letterLink: 'Per confermarlo, o per dire che è un errore, basta aprire questa pagina:',
  letterButton: 'Conferma il mio indirizzo',
  letterCode: 'Se la pagina chiede un codice, è {code}.',
  letterOtherwise:
    'Si può rispondere fino al {day}. Senza risposta non succede niente: non arriverà nessun avviso, e l’indirizzo sarà cancellato.',
  letterSender: 'Inviato per {name}, perché questo indirizzo è stato lasciato su {site}.',
  clock: '{time}',

  toAnswer: 'Rispondi',
  reason: 'Questa email segue la richiesta di sapere quando parte {name}.',
  unsubscribe: 'Cancella l’iscrizione',
  unsubscribeAt: 'Cancella l’iscrizione: {link}',
} satisfies Words
