import type { SendMailOptions } from 'nodemailer'
import type { Message } from './mailer.ts'
import { MailComposer } from './nodemailer.ts'

/**
 * The bytes of a message as `smtpMailer` sends them, except its time and the boundaries of its
 * parts.
 */
export const mimeOf = async (message: Message) => (await letterOf(message)).mime

/** The same, with the address that bounces go to. */
export async function letterOf({ to, pictures, replyTo, language: _, ...message }: Message) {
  const mail: SendMailOptions = {
    ...message,
    to: { name: '', address: to },
    ...(replyTo && { replyTo }),
    attachments: pictures.map(({ cid, png }) => ({
      cid,
      content: png,
      contentType: 'image/png',
      contentDisposition: 'inline',
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const node = new MailComposer(mail).compile()
  const from = node.getEnvelope().from || ''
  return { from, mime: asSent(await node.build()) }
}

const END_OF_HEAD = '\r\n\r\n'

/**
 * Every line ends as SMTP has it. Nodemailer folds a field whose first word is long, such as
 * `List-Unsubscribe`, right after its name. Some servers then sign it in a way that others find broken,
 * so its value begins in its first line.
 */
function asSent(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(/\r?\n/g, '\r\n')
  const end = text.indexOf(END_OF_HEAD)
  const head = text.slice(0, end).replace(/^([!-9;-~]+:)\r\n[ \t]+/gm, '$1 ')
  return Buffer.from(head + text.slice(end), 'latin1')
}
