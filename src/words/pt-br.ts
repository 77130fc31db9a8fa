import type { Words } from '../shared/sentences.ts'

/**
 * Portuguese of Brazil. “Você” is what strangers and friends are called there.
 *
 * No native reader has read this file yet. Anybody who writes Brazilian Portuguese every day may: see
 * docs/languages.md.
 */
export const ptBR = {
  title: '{name} — Em breve',
  heading: 'Em breve',
  offer: 'Seja a primeira pessoa a saber do lançamento',
  label: 'Endereço de e-mail',
  submit: 'Quero saber',
  submitting: 'Enviando…',
  didYouMean: 'Você quis dizer {domain}?',
  comment: 'Deixe este campo vazio',
  needsScript: 'O cadastro precisa de JavaScript. Ative-o e carregue esta página de novo.',
  subscribed: 'Obrigado! Vamos dar notícias.',
  letterSent: 'Falta só confirmar no e-mail que acabamos de enviar.',
  passOn: 'Passar adiante',
  byEmail: 'E-mail',
  copyLink: 'Copiar link',
  linkCopied: 'Link copiado',
  personalLink: 'Este link é pessoal. Ele conta quem chega por ele e confirma.',
  invalidEmail: 'Digite um endereço de e-mail válido.',
  databaseUnavailable: 'Banco de dados fora do ar. Tente de novo mais tarde.',
  failed: 'Não foi possível fazer o cadastro agora. Tente de novo mais tarde.',

  openTitle: '{name} — No ar',
  openDescription: '{name} está no ar. {pitch}',
  openHeading: 'Está no ar',
  openButton: 'Abrir {name}',
  openOffer: 'Receba novidades por e-mail',

  opens: 'Abre em {time}',
  soon: 'A qualquer momento',
  days: 'd',
  hours: 'h',
  minutes: 'min',
  seconds: 's',

  notFoundHeading: 'Nada por aqui',
  notFound: 'Não há página neste endereço. Talvez alguma letra esteja errada ou faltando.',
  wayHome: 'Ir para a nossa página',

  unsubscribeHeading: 'Cancelar inscrição',
  unsubscribeAsk: 'Aperte o botão, e não vamos mais escrever para você.',
  unsubscribeButton: 'Cancelar inscrição',
  unsubscribedHeading: 'Inscrição cancelada',
  unsubscribed:
    'Não vamos mais escrever para você. Se mudar de ideia, deixe seu endereço na nossa página.',
  brokenHeading: 'Este link está incompleto',
  broken:
    'Falta uma parte dele, e por isso nada foi cancelado. Abra de novo o link do nosso e-mail, ou copie-o por inteiro.',
  unavailableHeading: 'Tente de novo',
  unsubscribeUnavailable: 'Não conseguimos salvar isso agora. Em alguns minutos deve funcionar.',

  stillHeading: 'Ainda tem interesse?',
  stillAsk: 'Aperte o botão, e continuamos mandando notícias.',
  stillYes: 'Sim, ainda tenho interesse',
  stillNoted: 'Que bom! Continuamos mandando notícias.',
  stillBroken:
    'Falta uma parte dele, e por isso nada foi anotado. Abra de novo o link do nosso e-mail, ou copie-o por inteiro.',

  confirmHeading: 'Foi você?',
  confirmAsk: 'Alguém se inscreveu com seu endereço de e-mail, para receber o aviso do lançamento.',
  newsConfirmAsk: 'Alguém se inscreveu com seu endereço de e-mail, para receber novidades.',
  yes: 'Sim, quero saber',
  no: 'Não fui eu',
  codeHeading: 'Só mais uma coisa',
  codeAsk:
    'Os dois botões foram apertados, como fazem os programas que verificam e-mails. Os seis dígitos estão no nosso e-mail.',
  codeLabel: 'Código do e-mail',
  codeButton: 'Confirmar',
  wrongCodeHeading: 'Código errado',
  wrongCode:
    'Não são os seis dígitos do nosso e-mail. Depois de cinco erros nenhum código vale até enviarmos outro e-mail.',
  confirmedHeading: 'Confirmado',
  confirmed: 'Obrigado. Avisamos você no lançamento.',
  newsConfirmed: 'Obrigado. Mandamos as novidades por e-mail.',
  notMeHeading: 'Obrigado',
  notMe: 'Não vamos mais escrever para você, e o endereço será apagado em até 14 dias.',
  wasMe: 'Sim, fui eu',
  endedHeading: 'Este link expirou',
  ended:
    'Ele valia por 14 dias, ou falta uma parte dele. Para receber o aviso, deixe seu endereço na nossa página.',
  confirmUnavailable:
    'Não conseguimos salvar isso agora. Abra de novo o link do nosso e-mail em alguns minutos.',

  onListHeading: 'Você está na lista',
  replyHeading: 'Uma pergunta',
  replyAsked: 'Uma resposta nos ajuda, e é opcional.',
  answerButton: 'Enviar',
  wrongAnswer: 'Isso não responde à pergunta. Tente de novo.',
  answeredHeading: 'Obrigado',
  answered: 'A resposta foi salva.',
  answerEnded: 'Já é tarde para responder aqui. Você continua na lista.',

  letterSubject: 'Confirme seu endereço de e-mail para {name}',
  letterHeading: 'Foi você?',
  letterAsked:
    'Em {day}, às {time}, este endereço de e-mail foi deixado em {site}, para receber o aviso do lançamento de {name}.',
  newsLetterAsked:
    'Em {day}, às {time}, este endereço de e-mail foi deixado em {site}, para receber novidades de {name}.',
  letterLink: 'Para confirmar, ou para dizer que não foi você, abra esta página:',
  letterButton: 'Confirmar meu endereço',
  letterCode: 'Se a página pedir um código, ele é {code}.',
  letterOtherwise:
    'Você pode responder até {day}. Sem resposta nada acontece: você não receberá avisos, e o endereço será apagado.',
  letterSender: 'Enviado por {name}, porque este endereço foi deixado em {site}.',
  clock: '{time}',

  toAnswer: 'Responder',
  reason: 'Você pediu para ser avisado do lançamento de {name}.',
  unsubscribe: 'Cancelar inscrição',
  unsubscribeAt: 'Cancelar inscrição: {link}',
} satisfies Words
