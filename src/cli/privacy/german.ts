import type { PrivacyWords } from './privacy-words.ts'

const units = {
  day: ['Tag', 'Tage'],
  week: ['Woche', 'Wochen'],
  month: ['Monat', 'Monate'],
  year: ['Jahr', 'Jahre'],
} as const

export const german: PrivacyWords = {
  title: ({ name }) => `Datenschutz: ${name}`,
  draft:
    'Dieser Text ist aus den Einstellungen dieser Installation entstanden. Er ist ein Entwurf und keine Rechtsberatung: Lassen Sie ihn prüfen, und füllen Sie aus, was in eckigen Klammern steht.',
  responsible: {
    title: 'Verantwortlich',
    text: ({ sender }) => [
      sender ?? '[Name und Anschrift der verantwortlichen Person oder Firma]',
      '[E-Mail-Adresse für Fragen zu Ihren Daten]',
    ],
  },
  address: {
    title: 'Ihre E-Mail-Adresse',
    text: ({ name, requestDays, isIpKept, formHosts, hasReferrals, question }) => [
      `Wenn Sie Ihre E-Mail-Adresse hinterlassen, speichern wir sie und den Zeitpunkt, um Ihnen Bescheid zu geben, wenn ${name} öffnet. Grundlage ist Ihre Einwilligung (Art. 6 Abs. 1 lit. a DSGVO). Sie können sie jederzeit widerrufen, über den Link in jeder unserer E-Mails.`,
      'Zur Adresse speichern wir gegebenenfalls die Sprache der Seite, den Link, über den Sie gekommen sind, und, wenn Sie sich anderswo angemeldet haben, einen Vornamen und was dort über Ihre Einwilligung vermerkt wurde: ihr Zeitpunkt und Ihre Netzwerkadresse. Die Seite fragt nicht nach einem Namen.',
      ...(formHosts.length > 0
        ? [
            `Das Formular auf ${formHosts.join(', ')} schickt Ihre Adresse an uns und an niemanden sonst. Es setzt kein Cookie. Wir speichern, auf welcher dieser Seiten Sie sie hinterlassen haben.`,
          ]
        : []),
      ...(question === undefined
        ? []
        : [
            `Danach fragt die Seite: „${question}“ Sie müssen nicht antworten. Auch eine E-Mail kann danach fragen. Ihre Antwort speichern wir zur Adresse.`,
          ]),
      'Wenn Sie lange nichts von uns gehört haben, kann eine E-Mail fragen, ob Sie das noch möchten. Drücken Sie ihren Knopf, speichern wir, wann Sie das getan haben.',
      ...(hasReferrals
        ? [
            'Nach der Bestätigung bekommen Sie einen eigenen Link. Kommt jemand darüber und bestätigt ebenfalls, speichern wir zu dessen Adresse als Hash mit geheimem Schlüssel, dass es Ihr Link war. Das wird gelöscht, sobald eine der beiden Adressen gelöscht wird.',
          ]
        : []),
      ...(requestDays === undefined
        ? []
        : [
            `Auf der Liste stehen Sie erst, wenn Sie es aus Ihrem Postfach bestätigt haben. Eine Anfrage ohne Antwort wird nach ${requestDays} Tagen gelöscht. Als Nachweis Ihrer Einwilligung speichern wir den Text, den Sie gelesen haben, wann Sie gefragt haben, wann und wie Sie bestätigt haben, und welche E-Mail Sie gefragt hat.${isIpKept ? ' Der Nachweis enthält die IP-Adressen, von denen aus Sie gefragt und bestätigt haben.' : ' Eine IP-Adresse enthält er nicht.'}`,
          ]),
    ],
  },
  cookie: {
    title: 'Cookies',
    text: ({ sessionHours }) => [
      `Die Seite setzt ein Cookie, „session“. Es enthält eine zufällige Zahl und eine Signatur und gilt ${sessionHours} Stunden. Es ist unbedingt erforderlich: Es verhindert, dass andere Seiten Sie im Namen Ihres Browsers eintragen, und hilft, Programme von Menschen zu unterscheiden. Auf dem Server wird dazu nichts gespeichert, und Sie werden daran nicht wiedererkannt.`,
      'Wenn die Seite geöffnet ist, behält sie „splash: seen“ im Speicher Ihres Browsers, damit ihre Animation nur einmal läuft. Das ist bei allen gleich und wird nirgendwohin gesendet.',
    ],
  },
  robots: {
    title: 'Schutz vor Programmen',
    text: ({ isLimited, requestDays }) => [
      `Eine Eintragung, die nach einem Programm aussieht, etwa weil das Formular sofort ausgefüllt war, wird mit den Namen dieser Anzeichen beiseitegelegt. ${requestDays === undefined ? 'Sie bekommt keine E-Mail, bis ein Mensch sie freigibt oder die Adresse sich ohne solche Anzeichen noch einmal einträgt.' : 'Sie bekommt keine E-Mail, bevor sie bestätigt ist, außer der, die darum bittet.'}`,
      ...(isLimited
        ? [
            'Um Fluten zu begrenzen, zählt der Server Eintragungen nach IP-Adresse, in seinem Arbeitsspeicher und höchstens einen Tag lang. Diese Zahlen stehen in keiner Datei, und kein Protokoll enthält IP-Adressen von Besuchern.',
          ]
        : []),
      ...(requestDays === undefined
        ? []
        : [
            'Zu einer unbestätigten Anfrage wird ein Hash Ihres Netzes, mit geheimem Schlüssel, gespeichert, so lange wie die Anfrage.',
          ]),
    ],
  },
  visits: {
    title: 'Besuche',
    text: ({ visits, daysByHour, visitDays }) =>
      visits === 'off'
        ? ['Besuche werden nicht gezählt.']
        : [
            `Besuche werden als Zahlen je Stunde gezählt, ohne Cookies, IP-Adressen oder anderes von Ihnen. Die Namen der Links, über die Besucher gekommen sind, werden ${daysByHour} Tage lang je Stunde gezählt, danach je Tag, und nach ${visitDays} Tagen gelöscht.`,
          ],
  },
  others: {
    title: 'Wer sonst Daten bekommt',
    text: ({ isFirestore, mailHost, isProxied, toldHosts, noticeDays, eventHosts, ...facts }) => [
      isFirestore
        ? 'Die Liste liegt in Google Cloud Firestore [Region, Vertrag mit Google].'
        : 'Die Liste liegt in einer Datei auf unserem eigenen Server [Anbieter und Land des Servers].',
      mailHost
        ? `Unsere E-Mails gehen über den Mailserver ${mailHost} [Anbieter, Vertrag], der Ihre Adresse und die E-Mail bekommt.`
        : 'Es ist noch kein Mailserver eingestellt: Es werden keine E-Mails verschickt.',
      ...(isProxied
        ? ['Vor dem Server steht ein Proxy [Name], der unterwegs Ihre IP-Adresse sieht.']
        : []),
      ...(toldHosts.length > 0
        ? [
            `Von neuen Eintragungen erfahren wir mit ihren Adressen bei ${toldHosts.join(', ')} [Vertrag]; was nicht zugestellt wird, wird nach ${noticeDays} Tagen gelöscht.`,
          ]
        : []),
      ...(eventHosts.length > 0
        ? [
            `Unsere eigenen Systeme bei ${eventHosts.join(', ')} [Vertrag] erfahren von Eintragungen und von Löschungen.`,
          ]
        : []),
      ...(facts.isToldOfAccounts ? ['Unser Produkt meldet der Liste, wenn Sie es benutzen.'] : []),
    ],
  },
  kept: {
    title: 'Wie lange gespeichert wird',
    text: ({ retention, backup, isFirestore, isBackupEncrypted }) => [
      retention
        ? `Wir löschen die ganze Liste ${retention.number} ${units[retention.unit][retention.number === 1 ? 0 : 1]} nach der Öffnung.`
        : 'Wir speichern Ihre Adresse, bis Sie um Löschung bitten. [Schreiben Sie, wann Sie die ganze Liste löschen.]',
      isFirestore
        ? 'Sicherungen macht Google [wie lange sie aufbewahrt werden].'
        : backup.rule
          ? `Sicherungen werden nach der Regel „${backup.rule}“ aufbewahrt (tägliche, wöchentliche und monatliche Kopien) und enthalten eine gelöschte Adresse, bis die letzte von ihnen entfernt ist.${isBackupEncrypted ? ' Sie sind verschlüsselt.' : ''}`
          : backup.isKept
            ? `Sicherungen enthalten eine gelöschte Adresse, bis sie entfernt werden [wie lange Sie sie aufbewahren].${isBackupEncrypted ? ' Sie sind verschlüsselt.' : ''}`
            : 'Es werden keine Sicherungen nach einer Regel aufbewahrt. [Schreiben Sie, wie lange Sie Kopien aufbewahren.]',
    ],
  },
  rights: {
    title: 'Ihre Rechte',
    text: () => [
      'Sie können Auskunft, Berichtigung, Löschung, Einschränkung und Übertragung Ihrer Daten verlangen, ihrer Nutzung widersprechen und Ihre Einwilligung widerrufen. Schreiben Sie dafür an die Adresse oben.',
      'Wenn Sie keine E-Mails mehr möchten, nutzen Sie den Link in einer von ihnen: Die Adresse bleibt gespeichert, damit wir ihr nicht wieder schreiben. Wenn Sie gelöscht werden möchten, schreiben Sie uns: Wir löschen dann die Adresse und alles, was dazu bekannt ist, und behalten nur einen Hash mit geheimem Schlüssel, damit sie nicht über eine Datei zurückkommt.',
      'Sie können sich bei einer Datenschutzbehörde beschweren [Name der für Sie zuständigen].',
    ],
  },
}
