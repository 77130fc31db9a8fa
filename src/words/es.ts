import type { Words } from '../shared/sentences.ts'

/**
 * Spanish for Spain and the Americas, in wording that needs neither “tú” nor “usted”.
 *
 * No native reader has read this file yet. Anybody who writes Spanish every day may: see docs/languages.md.
 */
export const es = {
  title: '{name} — Próximamente',
  heading: 'Muy pronto',
  offer: 'Para enterarse antes que nadie del lanzamiento',
  label: 'Correo electrónico',
  submit: 'Quiero saberlo',
  submitting: 'Enviando…',
  didYouMean: '¿Quizá {domain}?',
  comment: 'Dejar este campo vacío',
  needsScript: 'El registro necesita JavaScript. Hay que activarlo y volver a cargar la página.',
  subscribed: '¡Gracias! Daremos noticias.',
  letterSent: 'Solo falta confirmar en el correo que acabamos de enviar.',
  passOn: 'Compartir',
  byEmail: 'Correo',
  copyLink: 'Copiar enlace',
  linkCopied: 'Enlace copiado',
  personalLink: 'Este enlace es personal. Cuenta a quienes llegan por él y confirman.',
  invalidEmail: 'Hace falta una dirección de correo válida.',
  databaseUnavailable: 'Sin conexión con la base de datos. Mejor probar más tarde.',
  failed: 'No se pudo completar el registro. Mejor probar más tarde.',

  openTitle: '{name} — Ya disponible',
  openDescription: '{name} ya está disponible. {pitch}',
  openHeading: 'Ya está aquí',
  openButton: 'Ir a {name}',
  openOffer: 'Recibir novedades por correo',

  opens: 'Apertura: {time}',
  soon: 'En cualquier momento',
  days: 'd',
  hours: 'h',
  minutes: 'min',
  seconds: 's',

  notFoundHeading: 'Aquí no hay nada',
  notFound: 'No hay ninguna página en esta dirección. Quizá sobra, falta o falla alguna letra.',
  wayHome: 'Ir a nuestra página',

  unsubscribeHeading: 'Darse de baja',
  unsubscribeAsk: 'Basta con pulsar el botón, y no enviaremos más correos.',
  unsubscribeButton: 'Darme de baja',
  unsubscribedHeading: 'Baja confirmada',
  unsubscribed:
    'No enviaremos más correos. Para volver, basta con dejar de nuevo la dirección en nuestra página.',
  brokenHeading: 'Este enlace está incompleto',
  broken:
    'Falta una parte, así que nadie se ha dado de baja. Hay que abrir de nuevo el enlace de nuestro correo, o copiarlo entero.',
  unavailableHeading: 'Probemos otra vez',
  unsubscribeUnavailable: 'Ahora mismo no se pudo guardar. En unos minutos debería funcionar.',

  stillHeading: '¿Seguimos en contacto?',
  stillAsk: 'Basta con pulsar el botón para seguir recibiendo nuestras noticias.',
  stillYes: 'Sí, todavía me interesa',
  stillNoted: 'Entendido: seguiremos enviando nuestras noticias.',
  stillBroken:
    'Falta una parte, así que no se ha anotado nada. Hay que abrir de nuevo el enlace de nuestro correo, o copiarlo entero.',

  confirmHeading: '¿Es correcto?',
  confirmAsk:
    'Esta dirección de correo se dejó en nuestra página para recibir aviso del lanzamiento.',
  newsConfirmAsk: 'Esta dirección de correo se dejó en nuestra página para recibir novedades.',
  yes: 'Sí, quiero saberlo',
  no: 'No he sido yo',
  codeHeading: 'Una cosa más',
  codeAsk:
    'Se pulsaron los dos botones, como hacen los programas que revisan el correo. Las seis cifras están en nuestro correo.',
  codeLabel: 'Código del correo',
  codeButton: 'Confirmar',
  wrongCodeHeading: 'Código incorrecto',
  wrongCode:
    'No son las seis cifras de nuestro correo. Tras cinco errores ningún código vale hasta que enviemos otro correo.',
  confirmedHeading: 'Confirmado',
  confirmed: 'Gracias. Avisaremos del lanzamiento.',
  newsConfirmed: 'Gracias. Las novedades llegarán por correo.',
  notMeHeading: 'Gracias',
  notMe: 'No enviaremos nada, y la dirección se borrará en un plazo de 14 días.',
  wasMe: 'Sí, he sido yo',
  endedHeading: 'El enlace ha caducado',
  ended:
    'Valía 14 días, o le falta una parte. Para recibir aviso, basta con dejar la dirección en nuestra página.',
  confirmUnavailable:
    'Ahora mismo no se pudo guardar. Hay que abrir de nuevo el enlace de nuestro correo en unos minutos.',

  onListHeading: 'En la lista',
  replyHeading: 'Una pregunta',
  replyAsked: 'Una respuesta nos ayuda, y es voluntaria.',
  answerButton: 'Enviar',
  wrongAnswer: 'Eso no responde a la pregunta. Mejor probar otra vez.',
  answeredHeading: 'Gracias',
  answered: 'La respuesta queda guardada.',
  answerEnded: 'Ya es tarde para responder aquí. La dirección sigue en la lista.',

  letterSubject: 'Falta confirmar la dirección de correo para {name}',
  letterHeading: '¿Es correcto?',
  letterAsked:
    'El {day} a las {time} se dejó esta dirección de correo en {site}, para recibir aviso del lanzamiento de {name}.',
  newsLetterAsked:
    'El {day} a las {time} se dejó esta dirección de correo en {site}, para recibir novedades de {name}.',
  letterLink: 'Para confirmarla, o para decir que es un error, hay que abrir esta página:',
  letterButton: 'Confirmar mi dirección',
  letterCode: 'Si la página pide un código, es {code}.',
  letterOtherwise:
    'Se puede responder hasta el {day}. Sin respuesta no pasa nada: no enviaremos avisos, y la dirección se borrará.',
  letterSender: 'Enviado en nombre de {name}, porque esta dirección se dejó en {site}.',
  clock: '{time}',

  toAnswer: 'Responder',
  reason: 'Este correo responde a una petición de aviso sobre el lanzamiento de {name}.',
  unsubscribe: 'Darse de baja',
  unsubscribeAt: 'Darse de baja: {link}',
} satisfies Words
