import type { SendMailOptions } from 'nodemailer'
import type { Message } from './mailer.ts'
import { createTransport } from './nodemailer.ts'

/** A message as Nodemailer takes it, both for sending and for showing it. */
export function mailOf({ to, pictures, replyTo, language: _, ...message }: Message) {
  return {
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
  } satisfies SendMailOptions
}

/**
 * The bytes of a message as `smtpMailer` sends them, except its time and the boundaries of its
 * parts.
 */
export async function mimeOf(message: Message): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message: bytes } = await transport.sendMail(mailOf(message))
  return bytes as Buffer
}
