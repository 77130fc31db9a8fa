import type { Words } from '../shared/sentences.ts'

/**
 * Japanese, in the plain polite form (です・ます) of a shop.
 *
 * A long heading has a break without a width, for browsers that know no phrases.
 *
 * No native reader has read this file yet. Anybody who writes Japanese every day may: see docs/languages.md.
 */
export const ja = {
  title: '{name} — 近日公開',
  heading: '近日公開',
  offer: '公開をいち早くお知らせします',
  label: 'メールアドレス',
  submit: 'お知らせを受け取る',
  submitting: '送信中…',
  didYouMean: '{domain} ではありませんか？',
  comment: 'この欄は空のままにしてください',
  needsScript: '登録には JavaScript が必要です。有効にして、ページを再読み込みしてください。',
  subscribed: 'ありがとうございます。追ってご連絡します。',
  letterSent: 'お送りしたメールの確認ボタンを押してください。',
  passOn: 'シェアする',
  byEmail: 'メール',
  copyLink: 'リンクをコピー',
  linkCopied: 'コピーしました',
  personalLink: 'これは専用のリンクです。このリンクから登録して確認した方の人数を数えます。',
  invalidEmail: '有効なメールアドレスを入力してください。',
  databaseUnavailable: 'データベースに接続できません。後ほど再度お試しください。',
  failed: '登録できませんでした。後ほど再度お試しください。',

  openTitle: '{name} — 公開中',
  openDescription: '{name} を公開しました。{pitch}',
  openHeading: '公開しました',
  openButton: '{name}を見る',
  openOffer: '新着のお知らせをメールでお届けします',

  opens: '{time} 公開',
  soon: 'まもなくです',
  days: '日',
  hours: '時間',
  minutes: '分',
  seconds: '秒',

  notFoundHeading: 'ページが\u200bありません',
  notFound: 'このアドレスのページは見つかりません。文字の間違いや抜けがあるかもしれません。',
  wayHome: 'トップページへ',

  unsubscribeHeading: '配信停止',
  unsubscribeAsk: 'ボタンを押すと、今後メールをお送りしません。',
  unsubscribeButton: '配信を停止する',
  unsubscribedHeading: '配信を\u200b停止しました',
  unsubscribed:
    '今後メールをお送りしません。再びご希望の場合は、ページからもう一度ご登録ください。',
  brokenHeading: 'リンクが\u200b不完全です',
  broken:
    'リンクの一部が欠けているため、配信は停止されていません。メールのリンクをもう一度開くか、全体をコピーしてください。',
  unavailableHeading: 'もう一度\u200bお試しください',
  unsubscribeUnavailable: '今は保存できませんでした。数分おいてからお願いいたします。',

  stillHeading: '今も\u200bご興味が\u200bありますか？',
  stillAsk: 'ボタンを押すと、引き続きお知らせをお届けします。',
  stillYes: 'はい、今も興味があります',
  stillNoted: '引き続きお知らせをお届けします。',
  stillBroken:
    'リンクの一部が欠けているため、何も記録されていません。メールのリンクをもう一度開くか、全体をコピーしてください。',

  confirmHeading: 'ご本人ですか？',
  confirmAsk: '公開のお知らせを受け取るため、このメールアドレスが登録されました。',
  newsConfirmAsk: '新着のお知らせを受け取るため、このメールアドレスが登録されました。',
  yes: 'はい、受け取ります',
  no: '登録していません',
  codeHeading: 'あと一つだけ',
  codeAsk:
    'メールの検査で、両方のボタンが押されたようです。メールにある 6 桁の数字を入力してください。',
  codeLabel: 'メールのコード',
  codeButton: '確認する',
  wrongCodeHeading: 'コードが\u200b違います',
  wrongCode:
    'メールにある 6 桁の数字と一致しません。5 回間違えると、次のメールが届くまでコードは使えません。',
  confirmedHeading: '確認\u200bできました',
  confirmed: 'ありがとうございます。公開の際にお知らせします。',
  newsConfirmed: 'ありがとうございます。新着のお知らせをメールでお届けします。',
  notMeHeading: 'ありがとう\u200bございます',
  notMe: 'お知らせはお送りせず、アドレスは 14 日以内に消去します。',
  wasMe: 'はい、本人です',
  endedHeading: 'リンクの\u200b期限切れ',
  ended:
    '有効期間は 14 日です。またはリンクの一部が欠けています。ご希望の場合は、ページからもう一度ご登録ください。',
  confirmUnavailable: '今は保存できませんでした。数分後にメールのリンクをもう一度開いてください。',

  onListHeading: '登録しました',
  replyHeading: 'ひとつ質問が\u200bあります',
  replyAsked: 'ご回答は任意です。',
  answerButton: '送信',
  wrongAnswer: '回答として受け取れませんでした。再度お試しください。',
  answeredHeading: 'ありがとう\u200bございます',
  answered: '回答を保存しました。',
  answerEnded: '回答の受付時間が過ぎました。メールアドレスの登録はそのままです。',

  letterSubject: '{name}：メールアドレスのご確認',
  letterHeading: 'ご本人ですか？',
  letterAsked:
    '{day} {time}、{name} の公開のお知らせを受け取るため、このメールアドレスが {site} で登録されました。',
  newsLetterAsked:
    '{day} {time}、{name} の新着のお知らせを受け取るため、このメールアドレスが {site} で登録されました。',
  letterLink: '登録を確認する、またはご本人でないことを知らせるには、次のページを開いてください。',
  letterButton: 'アドレスを確認する',
  letterCode: 'ページでコードを求められたら、{code} を入力してください。',
  letterOtherwise:
    '{day} までにお答えください。お答えがない場合は何も起こりません。お知らせはお送りせず、アドレスは消去します。',
  letterSender: '{site} でこのアドレスが登録されたため、{name} よりお送りしました。',
  clock: '{time}',

  toAnswer: '回答する',
  reason: '{name} の公開のお知らせをご希望の方にお送りしています。',
  unsubscribe: '配信停止',
  unsubscribeAt: '配信停止：{link}',
} satisfies Words
