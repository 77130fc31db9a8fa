/** Domains where everybody can have a mailbox, and of which any list has many. */
export const publicProviders: ReadonlySet<string> = new Set(
  (
    'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com aol.com ' +
    'icloud.com me.com mac.com proton.me protonmail.com gmx.de gmx.net gmx.com web.de t-online.de ' +
    'mail.com mail.ru yandex.ru qq.com 163.com 126.com naver.com orange.fr free.fr laposte.net ' +
    'libero.it comcast.net fastmail.com zoho.com hey.com'
  ).split(' '),
)
