import type { Words } from '../shared/sentences.ts'

/**
 * French, in wording that needs neither “tu” nor “vous”.
 *
 * No native reader has read this file yet. Anybody who writes French every day may: see docs/languages.md.
 */
export const fr = {
  title: '{name} — Bientôt disponible',
  heading: 'Bientôt',
  offer: 'Être informé en premier du lancement',
  label: 'Adresse e-mail',
  submit: 'Me prévenir',
  submitting: 'Envoi en cours…',
  didYouMean: 'Plutôt {domain} ?',
  comment: 'Laisser ce champ vide',
  needsScript: 'L’inscription nécessite JavaScript. Merci de l’activer et de recharger la page.',
  subscribed: 'Merci ! À très bientôt.',
  letterSent: 'Il ne reste qu’à confirmer dans l’e-mail qui vient de partir.',
  passOn: 'Faire passer le mot',
  byEmail: 'E-mail',
  copyLink: 'Copier le lien',
  linkCopied: 'Lien copié',
  personalLink:
    'Ce lien est personnel. Il compte les personnes qui viennent par lui et confirment.',
  invalidEmail: 'Merci de saisir une adresse e-mail valide.',
  databaseUnavailable: 'Base de données inaccessible. Merci de réessayer plus tard.',
  failed: 'L’inscription n’a pas abouti. Merci de réessayer plus tard.',

  openTitle: '{name} — C’est ouvert',
  openDescription: '{name} est ouvert. {pitch}',
  openHeading: 'C’est ouvert',
  openButton: 'Découvrir {name}',
  openOffer: 'Recevoir des nouvelles par e-mail',

  opens: 'Ouverture : {time}',
  soon: 'D’un instant à l’autre',
  days: 'j',
  hours: 'h',
  minutes: 'min',
  seconds: 's',

  notFoundHeading: 'Rien par ici',
  notFound: 'Il n’y a pas de page à cette adresse. Une lettre est peut-être fausse ou manquante.',
  wayHome: 'Aller à la page d’accueil',

  unsubscribeHeading: 'Désinscription',
  unsubscribeAsk: 'Un clic sur le bouton, et plus aucun e-mail ne partira d’ici.',
  unsubscribeButton: 'Me désinscrire',
  unsubscribedHeading: 'C’est fait',
  unsubscribed:
    'Plus aucun e-mail ne partira d’ici. Pour revenir, il suffit de laisser de nouveau son adresse sur notre page.',
  brokenHeading: 'Lien incomplet',
  broken:
    'Il en manque une partie : personne n’a été désinscrit. Merci de rouvrir le lien de notre e-mail, ou de le copier en entier.',
  unavailableHeading: 'Merci de réessayer',
  unsubscribeUnavailable:
    'Impossible de l’enregistrer pour l’instant. Cela devrait marcher dans quelques minutes.',

  stillHeading: 'On reste en contact ?',
  stillAsk: 'Un clic sur le bouton, et nos nouvelles continueront d’arriver.',
  stillYes: 'Cela m’intéresse encore',
  stillNoted: 'C’est noté : nos nouvelles continueront d’arriver.',
  stillBroken:
    'Il en manque une partie : rien n’a été noté. Merci de rouvrir le lien de notre e-mail, ou de le copier en entier.',

  confirmHeading: 'C’est bien ça ?',
  confirmAsk: 'Cette adresse e-mail a été laissée sur notre page, pour être prévenue du lancement.',
  newsConfirmAsk: 'Cette adresse e-mail a été laissée sur notre page, pour recevoir des nouvelles.',
  yes: 'Oui, me prévenir',
  no: 'Ce n’était pas moi',
  codeHeading: 'Une dernière chose',
  codeAsk:
    'Les deux boutons ont été pressés, comme le font les logiciels qui vérifient les e-mails. Les six chiffres se trouvent dans notre e-mail.',
  codeLabel: 'Code reçu par e-mail',
  codeButton: 'Confirmer',
  wrongCodeHeading: 'Code incorrect',
  wrongCode:
    'Ce ne sont pas les six chiffres de notre message. Après cinq erreurs, aucun code n’est plus valable jusqu’au prochain message.',
  confirmedHeading: 'Confirmé',
  confirmed: 'Merci. Nous écrirons dès le lancement.',
  newsConfirmed: 'Merci. Les nouvelles arriveront par e-mail.',
  notMeHeading: 'Merci',
  notMe: 'Aucun e-mail ne suivra, et l’adresse sera effacée sous 14 jours.',
  wasMe: 'Si, c’était moi',
  endedHeading: 'Ce lien a expiré',
  ended:
    'Il était valable 14 jours, ou il en manque une partie. Pour être prévenu, il suffit de laisser de nouveau son adresse sur notre page.',
  confirmUnavailable:
    'Impossible de l’enregistrer pour l’instant. Merci de rouvrir le lien de notre e-mail dans quelques minutes.',

  onListHeading: 'C’est noté',
  replyHeading: 'Une question',
  replyAsked: 'Une réponse nous aide, et reste facultative.',
  answerButton: 'Envoyer',
  wrongAnswer: 'Cette réponse ne convient pas. Merci de réessayer.',
  answeredHeading: 'Merci',
  answered: 'La réponse est enregistrée.',
  answerEnded: 'Le délai pour répondre ici est passé. L’adresse reste sur la liste.',

  letterSubject: 'Merci de confirmer l’adresse e-mail pour {name}',
  letterHeading: 'Inscription voulue ?',
  letterAsked:
    'Le {day} à {time}, cette adresse e-mail a été laissée sur {site}, pour être prévenue du lancement de {name}.',
  newsLetterAsked:
    'Le {day} à {time}, cette adresse e-mail a été laissée sur {site}, pour recevoir des nouvelles de {name}.',
  letterLink: 'Pour la confirmer, ou signaler une erreur, ouvrir cette page :',
  letterButton: 'Confirmer mon adresse',
  letterCode: 'Si la page demande un code, le voici : {code}.',
  letterOtherwise:
    'Il est possible de répondre jusqu’au {day}. Sans réponse, rien ne se passe : aucun e-mail ne suivra, et l’adresse sera effacée.',
  letterSender: 'Envoyé pour {name}, car cette adresse a été laissée sur {site}.',
  clock: '{time}',

  toAnswer: 'Répondre',
  reason: 'Cet e-mail suit une demande d’être prévenu du lancement de {name}.',
  unsubscribe: 'Se désinscrire',
  unsubscribeAt: 'Se désinscrire : {link}',
} satisfies Words
